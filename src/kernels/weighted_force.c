/* weighted_force.c - the force of gauge_force.c with weights by direction and time slice; 0 on inactive links. */
#include "src/kernels/weighted_staples.h"
#include "src/site/site.h"

/* P <- P + weight F at one site; s0 = sum_mu Tr F^+F, s1 = the largest of the four. */
SITE_FN void add_force(const weighted_force_args *a, loops upto, site x, real *s)
{
    const gauge_force_args *f = &a->f;
    s[0] = s[1] = spread(0);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++)
        add_link_force(f, x, mu, weighted_staples(a, upto, x, mu), s);
}

SITE_SUM(weighted_force_plaquette, 1, 1, weighted_force_args, a, x, s)     { add_force(a, PLAQUETTES, x, s); }
SITE_SUM(weighted_force_rectangle, 1, 1, weighted_force_args, a, x, s)     { add_force(a, RECTANGLES, x, s); }
SITE_SUM(weighted_force_parallelogram, 1, 1, weighted_force_args, a, x, s) { add_force(a, PARALLELOGRAMS, x, s); }
