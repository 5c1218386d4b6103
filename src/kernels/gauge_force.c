/* gauge_force.c - the force of actions made of plaquettes, rectangles and parallelograms.
 *
 *     S = sum over loops c_loop (beta/3) (3 - Re Tr W_loop),   F_mu(x) = -[U_mu(x) A_mu(x)]_TA
 *     A_mu(x) = sum over loops through the link, walked along it, of (beta/3) c_loop W_loop without the link
 *
 * so that dS/dtau = -sum Re Tr P^+F along dU/dtau = P U.  A loop that contains a link twice (lattice extent 2) counts
 * once for each occurrence. */
#include "src/kernels/gauge_staples.h"
#include "src/site/site.h"

/* P <- P + weight F at one site; s0 = sum_mu Tr F^+F, s1 = the largest of the four. */
SITE_FN void add_force(const gauge_force_args *f, loops upto, site x, real *s)
{
    s[0] = s[1] = spread(0);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++)
        add_link_force(f, x, mu, all_staples(f, upto, x, mu), s);
}

SITE_SUM(gauge_force_plaquette, 1, 1, gauge_force_args, a, x, s)     { add_force(a, PLAQUETTES, x, s); }
SITE_SUM(gauge_force_rectangle, 1, 1, gauge_force_args, a, x, s)     { add_force(a, RECTANGLES, x, s); }
SITE_SUM(gauge_force_parallelogram, 1, 1, gauge_force_args, a, x, s) { add_force(a, PARALLELOGRAMS, x, s); }
