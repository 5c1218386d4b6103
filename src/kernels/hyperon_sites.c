/* hyperon_sites.c - contractions of three propagators of two quarks to baryons at a site (baryon_args.h). */
#include "src/kernels/baryon_steps.h"

SITE_MAP(hyperon_sites, hyperon_args, a, x)
{
    propagator quark[2];
    real out[HYPERON_REALS];
    for (int flavor = 0; flavor < 2; flavor++)
        load_propagator(&quark[flavor], a->column[flavor], x);
    for (int i = 0; i < HYPERON_REALS; i++)
        out[i] = spread(0);
    KEEP_LOOP
    for (int n = 0; n < a->terms; n++) {
        const baryon_term *t = &a->term[n];
        const propagator *first = &quark[(int)t->flavor[0]], *second = &quark[(int)t->flavor[1]];
        const propagator *third = &quark[(int)t->flavor[2]];
        KEEP_LOOP
        for (int pair = 0; pair < 9; pair++) {
            const int c = pair / 3, from = pair % 3;
            spin_product m = diquark(first, second, t, c, from);
            for (int k = 0; k < 2; k++)
                out[2 * t->channel + k] = out[2 * t->channel + k]
                                          + third_quark(&t->project[k], t, &m, third->e[c][from]);
        }
    }
    place_of o = find(x, HYPERON_REALS);
    for (int i = 0; i < HYPERON_REALS; i++)
        store_real(a->out, &o, i, out[i]);
}
