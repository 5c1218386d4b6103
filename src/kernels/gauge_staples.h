/* gauge_staples.h - what a link is multiplied by in the loops of a gauge action.
 *
 * For a direction nu with either sign, with A B C the plaquette's other links in order
 *     a = hop(x+mu, nu)      b = hop(x+mu+nu, -mu)      c = hop(x+nu, -nu),
 * the rectangles replace one of the three by the three links around the next plaquette:
 *     long in nu:             a (nu -mu -nu) c
 *     long in mu, ahead:      (mu nu -mu) b c
 *     long in mu, behind:     a b (-mu -nu mu)
 * Eleven products for the four loops of one signed nu. */
#ifndef KILN_KERNELS_GAUGE_STAPLES_H
#define KILN_KERNELS_GAUGE_STAPLES_H

#include "src/kernels/args.h"
#include "src/site/load.h"

/* The directions that make planes with mu, in the order in which their staples are added up, each forward and then
 * backward: at one step, links mu and nu look at one and the same plane. */
enum { STEPS = 3 };
SITE_FN int staple_axis(int mu, int step)
{
    return axis_of(mu ^ (1 + step));
}

/* The product of the transporters along three steps from x. */
SITE_PART su3 three_hops(const gauge_force_args *f, site x, int first, int second, int third)
{
    su3 path = load_hop(&f->l, &f->u, x, first);
    x = site_step(&f->l, x, first);
    path = su3_mul(path, load_hop(&f->l, &f->u, x, second));
    x = site_step(&f->l, x, second);
    return su3_mul(path, load_hop(&f->l, &f->u, x, third));
}

SITE_PART su3 plaquette_staple(const gauge_force_args *f, site x_mu, site x_nu, int mu, int nu)
{
    site corner = site_step(&f->l, x_mu, nu);
    su3 ab = su3_mul(load_hop(&f->l, &f->u, x_mu, nu), load_hop(&f->l, &f->u, corner, opposite(mu)));
    return su3_mul(ab, load_hop(&f->l, &f->u, x_nu, opposite(nu)));
}

/* Plaquette and rectangles of one signed nu, with their coefficients. */
SITE_PART su3 rectangle_staples(const gauge_force_args *f, site x_mu, site x_nu, int mu, int nu)
{
    const scalar cp = (scalar)f->plaquette, cr = (scalar)f->rectangle;
    site corner = site_step(&f->l, x_mu, nu);
    su3 b = load_hop(&f->l, &f->u, corner, opposite(mu)), c = load_hop(&f->l, &f->u, x_nu, opposite(nu));

    su3 bc = su3_mul(b, c);                                                        /* everything after a */
    su3 long_in_nu = su3_mul(three_hops(f, corner, nu, opposite(mu), opposite(nu)), c);
    su3 after = su3_axpy(cr, long_in_nu, su3_axpy(cp, bc, su3_zero()));
    after = su3_axpy(cr, su3_mul(b, three_hops(f, x_nu, opposite(mu), opposite(nu), mu)), after);
    su3 staples = su3_mul(load_hop(&f->l, &f->u, x_mu, nu), after);
    return su3_axpy(cr, su3_mul(three_hops(f, x_mu, mu, nu, opposite(mu)), bc), staples);
}

/* The four parallelograms (mu, nu, rho, -mu, -nu, -rho) of one signed nu. */
SITE_PART su3 parallelogram_staples(const gauge_force_args *f, site x, site x_mu, int mu, int nu)
{
    su3 after = su3_zero();
    site corner = site_step(&f->l, x_mu, nu);
    KEEP_LOOP
    for (int rho = 0; rho < 8; rho++) {
        if (axis_of(rho) == mu || axis_of(rho) == axis_of(nu))
            continue;
        su3 path = three_hops(f, corner, rho, opposite(mu), opposite(nu));
        site x_rho = site_step(&f->l, x, rho);
        after = su3_axpy(1, su3_mul(path, load_hop(&f->l, &f->u, x_rho, opposite(rho))), after);
    }
    return su3_mul(load_hop(&f->l, &f->u, x_mu, nu), after);
}

/* sum + the staples of one signed nu, with their coefficients.  `upto` is a literal: a kernel keeps only what it has. */
typedef enum { PLAQUETTES, RECTANGLES, PARALLELOGRAMS } loops;
SITE_FN su3 add_staples(const gauge_force_args *f, loops upto, site x, site x_mu, int mu, int nu, su3 sum)
{
    site x_nu = site_step(&f->l, x, nu);
    if (upto == PLAQUETTES)
        sum = su3_axpy((scalar)f->plaquette, plaquette_staple(f, x_mu, x_nu, mu, nu), sum);
    else
        sum = su3_axpy(1, rectangle_staples(f, x_mu, x_nu, mu, nu), sum);
    if (upto == PARALLELOGRAMS)
        sum = su3_axpy((scalar)f->parallelogram, parallelogram_staples(f, x, x_mu, mu, nu), sum);
    return sum;
}

#endif
