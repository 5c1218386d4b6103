/* stout_force.c - the chain rule of a level of stout smearing, for forces F with dS = Re Tr sum (dU U^+) F.
 *
 * U' = E U, E = exp(iQ):  dU' U'^+ = dE E^+ + E dU U^+ E^+.  The first term becomes dS = Re Tr sum d(iQ) L
 * (site/algebra_chain.h), and as L is antihermitian and traceless, dS = Re Tr sum dOmega L.
 *
 * Omega of a link is the sum of its plaquettes, which start at its site x and run against the link.  A plaquette
 * U_mu(x) a b c, along mu and then a signed nu, is part of Omega of each of its links: unchanged for links that it
 * walks against, as its adjoint for links that it walks along.  So it contributes [U_mu(x) a b c with L]_TA, where L of
 * a link is inserted at the site of the link, with a minus sign for links that it walks along. */
#include "src/kernels/stout_staples.h"
#include "src/site/algebra_chain.h"
#include "src/site/site.h"

SITE_MAP(stout_insertions, stout_force_args, a, x)
{
    KEEP_LOOP
    for (int mu = 0; mu < a->axes; mu++) {
        algebra rotated, y = stout_exponent(&a->l, &a->u, (scalar)a->rho, a->axes, a->open, x, mu);
        algebra insertion = algebra_exp_chain(y, load_algebra(&a->f, x, mu), &rotated);
        store_algebra(&a->insertions, x, mu, insertion);
        store_algebra(&a->f, x, mu, rotated);
    }
}

SITE_FN su3 load_insertion(const stout_force_args *a, site x, int mu)
{
    return algebra_matrix(load_algebra(&a->insertions, x, mu));
}

SITE_FN su3 load_difference(const stout_force_args *a, site x, int plus, int minus)
{
    return algebra_matrix(algebra_axpy(-1, load_algebra(&a->insertions, x, minus),
                                       load_algebra(&a->insertions, x, plus)));
}

/* a b c with the insertions L of its links and of U_mu(x); nu has a sign. */
SITE_PART su3 staple_with_insertions(const stout_force_args *f, const corners *s, int mu, int nu)
{
    const bool back = nu & BACKWARD;
    const int axis = axis_of(nu);
    su3 path = load_between(&f->u, s->mu, s->both, nu);
    su3 sum = back ? su3_mul(path, load_insertion(f, s->both, axis))
                   : su3_axpy(-1, su3_mul(load_insertion(f, s->mu, axis), path), su3_zero());
    const su3 b = load_between(&f->u, s->both, s->nu, opposite(mu));
    path = su3_mul(path, b);
    const su3 at_nu = back ? load_difference(f, s->nu, mu, axis) : load_insertion(f, s->nu, mu);
    sum = su3_add(su3_mul(sum, b), su3_mul(path, at_nu));
    const su3 c = load_between(&f->u, s->nu, s->x, opposite(nu));
    path = su3_mul(path, c);
    const su3 at_x = back ? su3_axpy(-1, load_insertion(f, s->x, mu), su3_zero()) : load_difference(f, s->x, axis, mu);
    return su3_add(su3_mul(sum, c), su3_mul(path, at_x));
}

SITE_MAP(stout_force_sites, stout_force_args, a, x)
{
    KEEP_LOOP
    for (int mu = 0; mu < a->axes; mu++) {
        const site x_mu = site_up(&a->l, x, mu);
        su3 sum = su3_zero();
        KEEP_LOOP
        for (int step = 0; step < STEPS; step++) {
            const int nu = staple_axis(mu, step);
            if (nu >= a->axes)
                continue;
            const corners ahead = stout_corners(&a->l, x, x_mu, nu);
            const corners behind = stout_corners(&a->l, x, x_mu, nu | BACKWARD);
            sum = stout_add(&a->l, a->open, x, mu, nu, staple_with_insertions(a, &ahead, mu, nu), sum);
            sum = stout_add(&a->l, a->open, x, mu, nu | BACKWARD,
                            staple_with_insertions(a, &behind, mu, nu | BACKWARD), sum);
        }
        const algebra part = algebra_part(su3_mul(load_link(&a->u, x, mu), sum));
        store_algebra(&a->f, x, mu, algebra_axpy((scalar)a->rho, part, load_algebra(&a->f, x, mu)));
    }
}

SITE_SUM(stout_force_end, 1, 1, stout_end_args, a, x, s)
{
    s[0] = s[1] = spread(0);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        const algebra f = load_algebra(&a->f, x, mu);
        const real norm2 = algebra_norm2(f);
        s[0] = s[0] + norm2;
        s[1] = larger_or_nan(norm2, s[1]);
        store_algebra(&a->p, x, mu, algebra_axpy((scalar)a->weight, f, load_algebra(&a->p, x, mu)));
    }
}
