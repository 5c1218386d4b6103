/* staggered_hop.c - the staggered Dirac operator, and a y - D v with the products that solvers want of it.
 *
 * Where most of the time of the program goes.  Every link is loaded once and used at once; the hops over three sites
 * have a sum of their own, which meets their coefficient once, at the end. */
#include "src/kernels/staggered_args.h"
#include "src/site/site.h"

/* s + U_mu(x) v(forward) - U_mu(backward)^+ v(backward) */
SITE_FN color_vector both_ways(const gauge_view *u, const vector_view *v, site x, site forward, site backward, int mu,
                               color_vector s)
{
    s = su3_mul_vector(load_link(u, x, mu), load_vector(v, forward), s);
    return su3_dagger_mul_vector_minus(load_link(u, backward, mu), load_vector(v, backward), s);
}

/* (D in)(x) */
SITE_FN color_vector hop(const staggered_args *a, site x)
{
    const lattice_view *l = &a->l;
    color_vector one = vector_zero(), three = vector_zero();
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        one = both_ways(&a->fat, &a->in, x, site_up(l, x, mu), site_down(l, x, mu), mu, one);
        if (a->naik != 0)
            three = both_ways(&a->naik_links, &a->in, x, site_up3(l, x, mu), site_down3(l, x, mu), mu, three);
    }
    return vector_axpy((scalar)a->naik, three, one);
}

SITE_MAP(staggered_hop_sites, staggered_args, a, x)
{
    store_vector(&a->out, x, hop(a, x));
}

SITE_SUM(staggered_normal, 2, 0, staggered_args, a, x, s)
{
    color_vector minus = vector_scale(-1, hop(a, x)), y = load_vector(&a->y, x);
    color_vector out = vector_axpy((scalar)a->a, y, minus);
    store_vector(&a->out, x, out);
    s[0] = vector_dot(y, out).re;
    s[1] = vector_norm2(out);
}
