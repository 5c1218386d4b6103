/* staggered_hops.h - the staggered Dirac operator, and a y - D v with the products that solvers want of it, in literal
 * formats of vectors and links.
 *
 * Where most of the time of the program goes.  Every link is loaded once and used at once; the hops over three sites
 * have a sum of their own, which meets its coefficient once, at the end.  Fixed-point links are whole numbers: the
 * unit of the fat ones is given, that of Naik's is in his coefficient. */
#ifndef KILN_KERNELS_STAGGERED_HOPS_H
#define KILN_KERNELS_STAGGERED_HOPS_H

#include "src/kernels/staggered_args.h"
#include "src/site/site.h"
#include "src/site/storage.h"

SITE_FN link_format links_with(vector_format f)
{
    return f == VECTOR_NATIVE ? LINK_NATIVE : f == VECTOR_INT30 ? LINK_FIXED32 : LINK_FIXED16;
}

/* s + U_mu(x) v(forward) - U_mu(backward)^+ v(backward) */
SITE_FN color_vector both_ways(vector_format f, const gauge_view *u, const vector_view *v, site x, site forward,
                               site backward, int mu, color_vector s)
{
    s = su3_mul_vector(load_link_as(links_with(f), u, x, mu), load_vector_as(f, v, forward), s);
    return su3_dagger_mul_vector_minus(load_link_as(links_with(f), u, backward, mu), load_vector_as(f, v, backward), s);
}

/* (D in)(x) */
SITE_FN color_vector hop(vector_format f, const staggered_args *a, double unit, site x)
{
    const lattice_view *l = &a->l;
    color_vector one = vector_zero(), three = vector_zero();
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        one = both_ways(f, &a->fat, &a->in, x, site_up(l, x, mu), site_down(l, x, mu), mu, one);
        if (a->naik != 0)
            three = both_ways(f, &a->naik_links, &a->in, x, site_up3(l, x, mu), site_down3(l, x, mu), mu, three);
    }
    if (f != VECTOR_NATIVE)
        one = vector_scale((scalar)unit, one);
    return vector_axpy((scalar)a->naik, three, one);
}

/* out <- a y - D in, as it is stored; s0 = Re y^+ out, s1 = |out|^2 */
SITE_FN void normal_as(vector_format f, const staggered_args *a, double unit, site x, real *s)
{
    color_vector minus = vector_scale(-1, hop(f, a, unit, x)), y = load_vector_as(f, &a->y, x);
    color_vector out = store_vector_as(f, &a->out, x, vector_axpy((scalar)a->a, y, minus));
    s[0] = vector_dot(y, out).re;
    s[1] = vector_norm2(out);
}

#endif
