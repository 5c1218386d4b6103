/* ape_links.c - a level of APE smearing in space, before its projection to SU(3):
 *
 *     V_i(x) = (1 - alpha) U_i(x) + alpha/4 sum over j != i, +-j of U_j(x) U_i(x+j) U_j(x+i)^+
 *
 * (APE collaboration, M. Albanese et al., Phys. Lett. B 192 (1987) 163). */
#include "src/kernels/line_args.h"
#include "src/kernels/stout_staples.h"
#include "src/site/site.h"

enum { SPACE = 3, STAPLES = 4 };

SITE_MAP(ape_links, ape_args, a, x)
{
    const scalar rest = (scalar)(1 - a->alpha), share = (scalar)(a->alpha / STAPLES);
    KEEP_LOOP
    for (int mu = 0; mu < SPACE; mu++) {
        site x_mu = site_up(&a->l, x, mu);
        su3 sum = su3_zero();
        KEEP_LOOP
        for (int step = 0; step < STEPS; step++) {
            int nu = staple_axis(mu, step);
            if (nu >= SPACE)
                continue;
            corners ahead = stout_corners(&a->l, x, x_mu, nu), behind = stout_corners(&a->l, x, x_mu, nu | BACKWARD);
            sum = su3_add(sum, plaquette_staple(&a->u, &ahead, mu, nu));
            sum = su3_add(sum, plaquette_staple(&a->u, &behind, mu, nu | BACKWARD));
        }
        su3 v = su3_axpy(rest, load_link(&a->u, x, mu), su3_zero());
        store_link(&a->out, x, mu, su3_axpy(share, su3_dagger(sum), v));
    }
    store_link(&a->out, x, SPACE, load_link(&a->u, x, SPACE));
}
