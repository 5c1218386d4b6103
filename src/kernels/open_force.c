/* open_force.c - the force of gauge_force.c with open boundaries in time: 0 on inactive links. */
#include "src/kernels/open_staples.h"
#include "src/site/site.h"

/* P <- P + weight F at one site; s0 = sum_mu Tr F^+F, s1 = the largest of the four. */
SITE_FN void add_force(const open_force_args *a, loops upto, site x, real *s)
{
    const gauge_force_args *f = &a->f;
    s[0] = s[1] = spread(0);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        add_link_force(f, x, mu, open_staples(a, upto, x, mu), s);
    }
}

SITE_SUM(open_force_plaquette, 1, 1, open_force_args, a, x, s)     { add_force(a, PLAQUETTES, x, s); }
SITE_SUM(open_force_rectangle, 1, 1, open_force_args, a, x, s)     { add_force(a, RECTANGLES, x, s); }
SITE_SUM(open_force_parallelogram, 1, 1, open_force_args, a, x, s) { add_force(a, PARALLELOGRAMS, x, s); }
