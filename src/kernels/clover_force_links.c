/* clover_force_links.c - the force of a clover term: the insertions in all plaquettes of a link.
 *
 * A plaquette U_mu(x) a b c, walked along mu and then a signed nu, is part of Q_mu,nu at each of its four corners.
 * With the insertions L for this direction of rotation,
 *     2 h^+ = i (a b c L(x) + L(x+mu) a b c + a L(x+mu+nu) b c + a b L(x+nu) c).
 * L_mu,nu changes sign with the direction of rotation, and each plane has its factor in A.  Reads insertions up to the
 * ghosts of GHOSTS_SIDES. */
#include "src/kernels/clover_insertion.h"
#include "src/kernels/gauge_staples.h"
#include "src/site/site.h"

/* The sum in the brackets; nu has a sign. */
SITE_PART su3 plaquette_with_insertions(const clover_force_links_args *f, site x, site x_mu, int mu, int nu)
{
    const site x_nu = site_step(&f->l, x, nu), both = site_step(&f->l, x_mu, nu);
    const int plane = plane_of(mu, axis_of(nu));
    su3 path = load_between(&f->u, x_mu, both, nu);
    su3 sum = su3_mul(load_insertion(&f->insertions, x_mu, plane), path);
    sum = su3_add(sum, su3_mul(path, load_insertion(&f->insertions, both, plane)));
    const su3 b = load_between(&f->u, both, x_nu, opposite(mu));
    path = su3_mul(path, b);
    sum = su3_add(su3_mul(sum, b), su3_mul(path, load_insertion(&f->insertions, x_nu, plane)));
    const su3 c = load_between(&f->u, x_nu, x, opposite(nu));
    path = su3_mul(path, c);
    return su3_add(su3_mul(sum, c), su3_mul(path, load_insertion(&f->insertions, x, plane)));
}

SITE_MAP(clover_force_links, clover_force_links_args, a, x)
{
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        const site x_mu = site_up(&a->l, x, mu);
        su3 sum = su3_zero();
        KEEP_LOOP
        for (int step = 0; step < STEPS; step++) {
            const int nu = staple_axis(mu, step);
            const scalar factor = (scalar)(mu == 3 || nu == 3 ? a->planes.time : a->planes.space);
            const scalar sense = mu < nu ? factor : -factor;
            sum = su3_axpy(sense, plaquette_with_insertions(a, x, x_mu, mu, nu), sum);
            sum = su3_axpy(-sense, plaquette_with_insertions(a, x, x_mu, mu, nu | BACKWARD), sum);
        }
        const real minus_half = spread((scalar)-0.5);
        su3 h = load_link(&a->h, x, mu);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {                                    /* (i sum)^+ / 2 */
                h.e[i][j].re = mad(minus_half, sum.e[j][i].im, h.e[i][j].re);
                h.e[i][j].im = mad(minus_half, sum.e[j][i].re, h.e[i][j].im);
            }
        store_link(&a->h, x, mu, h);
    }
}
