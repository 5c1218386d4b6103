/* staggered_hops.h - the staggered Dirac operator D, and a y - D v with the products that solvers need, in literal
 * formats of vectors and links, and for a literal number of vectors.
 *
 * The program spends most of its time here.  Each link is loaded once and used at once for all vectors.  The hops over
 * three sites come first; their sum is multiplied by the Naik coefficient, and the other hops are added.  Links in
 * fixed point are integers: `unit` belongs to fat links; the Naik coefficient contains the unit of long links.
 *
 * Long links are products of three links, and so in U(3) if these are; fat links are sums, and are not.  Therefore long
 * links have a separate format, which may store 13 or 9 numbers. */
#ifndef KILN_KERNELS_STAGGERED_HOPS_H
#define KILN_KERNELS_STAGGERED_HOPS_H

#include "src/kernels/staggered_args.h"
#include "src/site/link_storage.h"
#include "src/site/site.h"
#include "src/site/storage.h"

/* The format of links with all 18 numbers for vectors of format f. */
SITE_FN link_format links_with(vector_format f)
{
    return f == VECTOR_NATIVE ? LINK_NATIVE : f == VECTOR_INT30 ? LINK_FIXED32 : LINK_FIXED16;
}

/* s_n + U_mu(x) v_n(forward) - U_mu(backward)^+ v_n(backward) */
SITE_FN void both_ways(vector_format f, link_format links, int vectors, const gauge_view *u, const vector_view *v,
                       site x, site forward, site backward, int mu, color_vector *s)
{
    su3 ahead = load_link_as(links, u, x, mu);
    UNROLL_LOOP
    for (int n = 0; n < vectors; n++)
        s[n] = su3_mul_vector(ahead, load_vector_as(f, &v[n], forward), s[n]);
    su3 behind = load_link_as(links, u, backward, mu);
    UNROLL_LOOP
    for (int n = 0; n < vectors; n++)
        s[n] = su3_dagger_mul_vector_minus(behind, load_vector_as(f, &v[n], backward), s[n]);
}

/* s_n = (D v_n)(x), with long links in format `long_format` */
SITE_FN void hops_of(vector_format f, link_format long_format, int vectors, const lattice_view *l,
                     const gauge_view *fat,
                     const gauge_view *long_links, double unit, double naik, const vector_view *v, site x,
                     color_vector *s)
{
    const scalar coefficient = (scalar)(f == VECTOR_NATIVE ? naik : naik / unit);
    UNROLL_LOOP
    for (int n = 0; n < vectors; n++)
        s[n] = vector_zero();
    if (naik != 0) {
        KEEP_LOOP
        for (int mu = 0; mu < 4; mu++)
            both_ways(f, long_format, vectors, long_links, v, x, site_up3(l, x, mu), site_down3(l, x, mu), mu, s);
        UNROLL_LOOP
        for (int n = 0; n < vectors; n++)
            s[n] = vector_scale(coefficient, s[n]);
    }
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++)
        both_ways(f, links_with(f), vectors, fat, v, x, site_up(l, x, mu), site_down(l, x, mu), mu, s);
    UNROLL_LOOP
    for (int n = 0; n < vectors && f != VECTOR_NATIVE; n++)
        s[n] = vector_scale((scalar)unit, s[n]);
}

/* (D in)(x) */
SITE_FN color_vector hop(vector_format f, link_format long_format, const staggered_args *a, double unit, site x)
{
    color_vector s;
    hops_of(f, long_format, 1, &a->l, &a->fat, &a->long_links, unit, a->naik, &a->in, x, &s);
    return s;
}

/* Stores out <- a y - d, with d = (D in)(x); returns y, and `out` as it is stored */
typedef struct { color_vector y, out; } normal_pair;
SITE_FN normal_pair normal_end(vector_format f, const vector_view *out, const vector_view *y, double a, color_vector d,
                               site x)
{
    normal_pair p;
    p.y = load_vector_as(f, y, x);
    p.out = store_vector_as(f, out, x, vector_axpy((scalar)a, p.y, vector_scale(-1, d)));
    return p;
}

/* out <- a y - D in, as it is stored; s0 = Re y^+ out, s1 = |out|^2 */
SITE_FN void normal_as(vector_format f, link_format long_format, const staggered_args *a, double unit, site x, real *s)
{
    normal_pair p = normal_end(f, &a->out, &a->y, a->a, hop(f, long_format, a, unit, x), x);
    s[0] = vector_dot(p.y, p.out).re;
    s[1] = vector_norm2(p.out);
}

#define STAGGERED_HOPS(format, long_format, suffix)                                                                    \
    SITE_MAP(staggered_hop_sites##suffix, packed_hop_args, a, x)                                                       \
    {                                                                                                                  \
        store_vector_as(format, &a->hop.out, x, hop(format, long_format, &a->hop, a->unit, x));                        \
    }                                                                                                                  \
    SITE_SUM(staggered_normal##suffix, 2, 0, packed_hop_args, a, x, s)                                                 \
    {                                                                                                                  \
        normal_as(format, long_format, &a->hop, a->unit, x, s);                                                        \
    }

#endif
