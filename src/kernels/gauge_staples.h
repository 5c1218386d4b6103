/* gauge_staples.h - the staples of a link in the loops of a gauge action.
 *
 * For a link U_mu(x) and a signed direction nu, the staple of the plaquette is a b c, with the transporters
 *     a = hop(x+mu, nu)      b = hop(x+mu+nu, -mu)      c = hop(x+nu, -nu).
 * Each staple of a rectangle replaces one of a, b and c by the three other links of the plaquette beyond it:
 *     long in nu:             a (nu -mu -nu) c
 *     long in mu, ahead:      (mu nu -mu) b c
 *     long in mu, behind:     a b (-mu -nu mu)
 * The four loops of a signed nu take eleven matrix products. */
#ifndef KILN_KERNELS_GAUGE_STAPLES_H
#define KILN_KERNELS_GAUGE_STAPLES_H

#include "src/kernels/args.h"
#include "src/site/load.h"

/* The directions nu != mu in the order in which their staples are added, each forward and then backward: in one step,
 * the links mu and nu work on the same plane. */
enum { STEPS = 3 };
SITE_FN int staple_axis(int mu, int step)
{
    return axis_of(mu ^ (1 + step));
}

/* The product of the transporters from a over b and c to d. */
SITE_PART su3 three_hops(const gauge_view *u, site a, int first, site b, int second, site c, int third, site d)
{
    su3 path = su3_mul(load_between(u, a, b, first), load_between(u, b, c, second));
    return su3_mul(path, load_between(u, c, d, third));
}

/* The corners of one plaquette. */
typedef struct { site x, mu, nu, both; } corners;

SITE_PART su3 plaquette_staple(const gauge_view *u, const corners *s, int mu, int nu)
{
    return three_hops(u, s->mu, nu, s->both, opposite(mu), s->nu, opposite(nu), s->x);
}

/* Plaquette and rectangles of one signed nu, with their coefficients. */
SITE_PART su3 rectangle_staples(const gauge_force_args *f, const corners *s, int mu, int nu)
{
    const lattice_view *l = &f->l;
    const gauge_view *u = &f->u;
    const scalar cp = (scalar)f->plaquette, cr = (scalar)f->rectangle;
    site nu2 = site_step(l, s->nu, nu), both_nu = site_step(l, s->both, nu);
    site mu2 = site_up(l, s->mu, mu), both_mu = site_up(l, s->both, mu);
    site behind = site_down(l, s->x, mu), behind_nu = site_down(l, s->nu, mu);
    su3 b = load_between(u, s->both, s->nu, opposite(mu)), c = load_between(u, s->nu, s->x, opposite(nu));

    su3 bc = su3_mul(b, c);                                                        /* everything after a */
    su3 long_in_nu = su3_mul(three_hops(u, s->both, nu, both_nu, opposite(mu), nu2, opposite(nu), s->nu), c);
    su3 after = su3_axpy(cr, long_in_nu, su3_axpy(cp, bc, su3_zero()));
    su3 back = three_hops(u, s->nu, opposite(mu), behind_nu, opposite(nu), behind, mu, s->x);
    after = su3_axpy(cr, su3_mul(b, back), after);
    su3 staples = su3_mul(load_between(u, s->mu, s->both, nu), after);
    su3 ahead = three_hops(u, s->mu, mu, mu2, nu, both_mu, opposite(mu), s->both);
    return su3_axpy(cr, su3_mul(ahead, bc), staples);
}

/* The four parallelograms (mu, nu, rho, -mu, -nu, -rho) of one signed nu. */
SITE_PART su3 parallelogram_staples(const gauge_force_args *f, const corners *s, int mu, int nu)
{
    su3 after = su3_zero();
    KEEP_LOOP
    for (int rho = 0; rho < 8; rho++) {
        if (axis_of(rho) == mu || axis_of(rho) == axis_of(nu))
            continue;
        site x_rho = site_step(&f->l, s->x, rho), nu_rho = site_step(&f->l, s->nu, rho);
        site both_rho = site_step(&f->l, s->both, rho);
        su3 path = three_hops(&f->u, s->both, rho, both_rho, opposite(mu), nu_rho, opposite(nu), x_rho);
        after = su3_axpy(1, su3_mul(path, load_between(&f->u, x_rho, s->x, opposite(rho))), after);
    }
    return su3_mul(load_between(&f->u, s->mu, s->both, nu), after);
}

/* The loops of an action: the named loops and all loops before them. */
typedef enum { PLAQUETTES, RECTANGLES, PARALLELOGRAMS } loops;

/* sum + the staples of one signed nu, with their coefficients.  `upto` is a literal: unneeded code vanishes. */
SITE_FN su3 add_staples(const gauge_force_args *f, loops upto, site x, site x_mu, int mu, int nu, su3 sum)
{
    corners s;
    s.x = x;
    s.mu = x_mu;
    s.nu = site_step(&f->l, x, nu);
    s.both = site_step(&f->l, x_mu, nu);
    if (upto == PLAQUETTES)
        sum = su3_axpy((scalar)f->plaquette, plaquette_staple(&f->u, &s, mu, nu), sum);
    else
        sum = su3_axpy(1, rectangle_staples(f, &s, mu, nu), sum);
    if (upto == PARALLELOGRAMS)
        sum = su3_axpy((scalar)f->parallelogram, parallelogram_staples(f, &s, mu, nu), sum);
    return sum;
}

/* All staples of a link. */
SITE_FN su3 all_staples(const gauge_force_args *f, loops upto, site x, int mu)
{
    site x_mu = site_up(&f->l, x, mu);
    su3 staples = su3_zero();
    KEEP_LOOP
    for (int step = 0; step < STEPS; step++) {
        int nu = staple_axis(mu, step);
        staples = add_staples(f, upto, x, x_mu, mu, nu, staples);
        staples = add_staples(f, upto, x, x_mu, mu, nu | BACKWARD, staples);
    }
    return staples;
}

/* P_mu <- P_mu + weight F_mu at a site, from the staples; s0 <- s0 + Tr F_mu^+ F_mu, s1 <- max(s1, Tr F_mu^+ F_mu) */
SITE_FN void add_link_force(const gauge_force_args *f, site x, int mu, su3 staples, real *s)
{
    algebra minus_force = algebra_part(su3_mul(load_link(&f->u, x, mu), staples));
    real norm2 = algebra_norm2(minus_force);
    s[0] = s[0] + norm2;
    s[1] = larger_or_nan(norm2, s[1]);
    store_algebra(&f->p, x, mu, algebra_axpy((scalar)-f->weight, minus_force, load_algebra(&f->p, x, mu)));
}

#endif
