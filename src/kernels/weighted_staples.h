/* weighted_staples.h - the staples of gauge_staples.h with weights by direction and time slice. */
#ifndef KILN_KERNELS_WEIGHTED_STAPLES_H
#define KILN_KERNELS_WEIGHTED_STAPLES_H

#include "src/kernels/gauge_staples.h"
#include "src/kernels/time_slices.h"

enum { IN_TIME = 3 };

/* s + f a, with a factor for each site */
SITE_FN su3 su3_weighted(real f, su3 a, su3 s)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            s.e[i][j].re = mad(f, a.e[i][j].re, s.e[i][j].re);
            s.e[i][j].im = mad(f, a.e[i][j].im, s.e[i][j].im);
        }
    return s;
}

/* Of the loops of a link in direction mu from x with one signed nu: the plaquette, and the rectangles that are long in
 * nu, long in mu with the next link, and with the link before. */
typedef struct { real plaquette, long_in_nu, ahead, behind; } staple_weights;

SITE_FN staple_weights weights_of_staples(const weighted_force_args *a, site x, int mu, int nu)
{
    const time_weights *w = &a->w;
    const lattice_view *l = &a->f.l;
    const int in_time = mu == IN_TIME || axis_of(nu) == IN_TIME, below = axis_of(nu) == IN_TIME && nu & BACKWARD;
    const real once = loop_weight(w->rectangle, w, l, x, below, in_time);
    staple_weights s;
    s.plaquette = loop_weight(w->plaquette, w, l, x, below, in_time);
    s.long_in_nu = axis_of(nu) == IN_TIME ? loop_weight(w->rectangle, w, l, x, 2 * below, 2) : once;
    s.ahead = mu == IN_TIME ? loop_weight(w->rectangle, w, l, x, 0, 2) : once;
    s.behind = mu == IN_TIME ? loop_weight(w->rectangle, w, l, x, 1, 2) : once;
    return s;
}

/* Plaquette and rectangles of one signed nu, with coefficients and weights. */
SITE_PART su3 weighted_rectangle_staples(const weighted_force_args *a, const corners *s, int mu, int nu)
{
    const lattice_view *l = &a->f.l;
    const gauge_view *u = &a->f.u;
    const real cp = spread((scalar)a->f.plaquette), cr = spread((scalar)a->f.rectangle);
    const staple_weights w = weights_of_staples(a, s->x, mu, nu);
    site nu2 = site_step(l, s->nu, nu), both_nu = site_step(l, s->both, nu);
    site mu2 = site_up(l, s->mu, mu), both_mu = site_up(l, s->both, mu);
    site behind = site_down(l, s->x, mu), behind_nu = site_down(l, s->nu, mu);
    su3 b = load_between(u, s->both, s->nu, opposite(mu)), c = load_between(u, s->nu, s->x, opposite(nu));

    su3 bc = su3_mul(b, c);
    su3 long_in_nu = su3_mul(three_hops(u, s->both, nu, both_nu, opposite(mu), nu2, opposite(nu), s->nu), c);
    su3 after = su3_weighted(cr * w.long_in_nu, long_in_nu, su3_weighted(cp * w.plaquette, bc, su3_zero()));
    su3 back = three_hops(u, s->nu, opposite(mu), behind_nu, opposite(nu), behind, mu, s->x);
    after = su3_weighted(cr * w.behind, su3_mul(b, back), after);
    su3 staples = su3_mul(load_between(u, s->mu, s->both, nu), after);
    su3 ahead = three_hops(u, s->mu, mu, mu2, nu, both_mu, opposite(mu), s->both);
    return su3_weighted(cr * w.ahead, su3_mul(ahead, bc), staples);
}

/* The four parallelograms of one signed nu, with their weights. */
SITE_PART su3 weighted_parallelogram_staples(const weighted_force_args *a, const corners *s, int mu, int nu)
{
    const gauge_force_args *f = &a->f;
    su3 after = su3_zero();
    KEEP_LOOP
    for (int rho = 0; rho < 8; rho++) {
        if (axis_of(rho) == mu || axis_of(rho) == axis_of(nu))
            continue;
        const int side = axis_of(rho) == IN_TIME ? rho : nu;             /* in t, if the link is not */
        const int in_time = mu == IN_TIME || axis_of(side) == IN_TIME;
        const real w = loop_weight(a->w.parallelogram, &a->w, &f->l, s->x,
                                   axis_of(side) == IN_TIME && side & BACKWARD, in_time);
        site x_rho = site_step(&f->l, s->x, rho), nu_rho = site_step(&f->l, s->nu, rho);
        site both_rho = site_step(&f->l, s->both, rho);
        su3 path = three_hops(&f->u, s->both, rho, both_rho, opposite(mu), nu_rho, opposite(nu), x_rho);
        after = su3_weighted(w, su3_mul(path, load_between(&f->u, x_rho, s->x, opposite(rho))), after);
    }
    return su3_mul(load_between(&f->u, s->mu, s->both, nu), after);
}

SITE_FN su3 add_weighted_staples(const weighted_force_args *a, loops upto, site x, site x_mu, int mu, int nu, su3 sum)
{
    corners s;
    s.x = x;
    s.mu = x_mu;
    s.nu = site_step(&a->f.l, x, nu);
    s.both = site_step(&a->f.l, x_mu, nu);
    if (upto == PLAQUETTES) {
        const staple_weights w = weights_of_staples(a, x, mu, nu);
        return su3_weighted(spread((scalar)a->f.plaquette) * w.plaquette, plaquette_staple(&a->f.u, &s, mu, nu), sum);
    }
    sum = su3_add(weighted_rectangle_staples(a, &s, mu, nu), sum);
    if (upto == PARALLELOGRAMS)
        sum = su3_axpy((scalar)a->f.parallelogram, weighted_parallelogram_staples(a, &s, mu, nu), sum);
    return sum;
}

/* All staples of a link. */
SITE_FN su3 weighted_staples(const weighted_force_args *a, loops upto, site x, int mu)
{
    site x_mu = site_up(&a->f.l, x, mu);
    su3 staples = su3_zero();
    KEEP_LOOP
    for (int step = 0; step < STEPS; step++) {
        int nu = staple_axis(mu, step);
        staples = add_weighted_staples(a, upto, x, x_mu, mu, nu, staples);
        staples = add_weighted_staples(a, upto, x, x_mu, mu, nu | BACKWARD, staples);
    }
    return staples;
}

#endif
