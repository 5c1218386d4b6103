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
    add_baryon_terms(out, quark, a->term, a->terms);
    place_of o = find(x, HYPERON_REALS);
    for (int i = 0; i < HYPERON_REALS; i++)
        store_real(a->out, &o, i, out[i]);
}
