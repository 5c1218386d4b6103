/* hyp_links.c - a level of hypercubic smearing, before its projection to SU(3):
 *
 *     1:  B_(mu;eta) = (1 - alpha) U_mu + alpha/2 staple(U_eta, U_mu)
 *     2:  A_(mu;nu)  = (1 - alpha) U_mu + alpha/4 sum over rho of staple(B_(rho;eta), B_(mu;eta))
 *     3:  V_mu       = (1 - alpha) U_mu + alpha/6 sum over nu of staple(A_(nu;mu), A_(mu;nu))
 *     staple(S_nu, C_mu)(x) = sum over +-nu of S_nu(x) C_mu(x+nu) S_nu(x+mu)^+
 *
 * mu, nu, rho and eta are different.  The index eta of B is the only direction in which B is smeared; the index nu
 * of A is the only other direction in which A is not smeared.  Both are stored by k, where eta or nu is mu + k
 * modulo 4. */
#include "src/kernels/gauge_staples.h"
#include "src/kernels/line_args.h"
#include "src/site/site.h"

enum { AXES = 4, SUM_OF_AXES = 0 + 1 + 2 + 3 };

SITE_FN int axis_offset(int from, int to) { return (to - from) & (AXES - 1); }

SITE_FN su3 one_staple(const lattice_view *l, const gauge_view *sides, const gauge_view *center, site x, site x_mu,
                       int mu, int nu)
{
    site x_nu = site_step(l, x, nu), both = site_step(l, x_mu, nu);
    su3 path = su3_mul(load_between(sides, x, x_nu, nu), load_between(center, x_nu, both, mu));
    return su3_mul(path, load_between(sides, both, x_mu, opposite(nu)));
}

SITE_MAP(hyp_links, hyp_args, a, x)
{
    const int staples = 2 * a->level;
    const scalar rest = (scalar)(1 - a->alpha), share = (scalar)(a->alpha / staples);
    KEEP_LOOP
    for (int mu = 0; mu < AXES; mu++) {
        const int marked = (mu + a->k) & (AXES - 1);
        site x_mu = site_up(&a->l, x, mu);
        su3 sum = su3_zero();
        KEEP_LOOP
        for (int step = 0; step < STEPS; step++) {
            const int nu = staple_axis(mu, step), fourth = SUM_OF_AXES - mu - marked - nu;
            if ((a->level == 1 && nu != marked) || (a->level == 2 && nu == marked))
                continue;
            const int side = a->level == 1 ? 0 : a->level == 2 ? axis_offset(nu, fourth) : axis_offset(nu, mu);
            const int center = a->level == 1 ? 0 : a->level == 2 ? axis_offset(mu, fourth) : axis_offset(mu, nu);
            sum = su3_add(sum, one_staple(&a->l, &a->in[side], &a->in[center], x, x_mu, mu, nu));
            sum = su3_add(sum, one_staple(&a->l, &a->in[side], &a->in[center], x, x_mu, mu, nu | BACKWARD));
        }
        su3 v = su3_axpy(rest, load_link(&a->u, x, mu), su3_zero());
        store_link(&a->out, x, mu, su3_axpy(share, sum, v));
    }
}
