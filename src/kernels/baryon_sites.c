/* baryon_sites.c - contractions of three propagators of one quark to baryons at a site (baryon_args.h). */
#include "src/kernels/baryon_steps.h"

SITE_MAP(baryon_sites, baryon_args, a, x)
{
    propagator p;
    real out[BARYON_REALS];
    load_propagator(&p, a->column, x);
    for (int i = 0; i < BARYON_REALS; i++)
        out[i] = spread(0);
    add_baryon_terms(out, &p, a->term, a->terms);
    place_of o = find(x, BARYON_REALS);
    for (int i = 0; i < BARYON_REALS; i++)
        store_real(a->out, &o, i, out[i]);
}
