/* baryon_sites.c - contractions of three propagators of one quark to baryons at a site (baryon_args.h). */
#include "src/kernels/baryon_steps.h"

SITE_MAP(baryon_sites, baryon_args, a, x)
{
    propagator p;
    real out[BARYON_REALS];
    load_propagator(&p, a->column, x);
    for (int i = 0; i < BARYON_REALS; i++)
        out[i] = spread(0);
    KEEP_LOOP
    for (int n = 0; n < a->terms; n++) {
        const baryon_term *t = &a->term[n];
        KEEP_LOOP
        for (int pair = 0; pair < 9; pair++) {
            const int c = pair / 3, from = pair % 3;
            spin_product m = diquark(&p, &p, t, c, from);
            for (int k = 0; k < 2; k++)
                out[2 * t->channel + k] = out[2 * t->channel + k] + third_quark(&t->project[k], t, &m, p.e[c][from]);
        }
    }
    place_of o = find(x, BARYON_REALS);
    for (int i = 0; i < BARYON_REALS; i++)
        store_real(a->out, &o, i, out[i]);
}
