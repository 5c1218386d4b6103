/* packing.c - converts vectors from one format into another, links into a format and back, and blocks of the clover
 * term into 16 bits; native numbers may be in the other precision. */
#define OVER_SLABS
#include "src/kernels/clover_args.h"
#include "src/kernels/open_args.h"
#include "src/kernels/staggered_hops.h"
#include "src/kernels/time_slices.h"
#include "src/site/block_storage.h"

#ifdef SINGLE
typedef double other;
#else
typedef float other;
#endif

SITE_FN real load_other(const void *data, const place_of *o, int component)
{
    real r;
    for (int lane = 0; lane < LANES; lane++)
        set_lane(&r, lane, (scalar)((const other *)data)[o->first[lane] + (size_t)component * SITE_TILE]);
    return r;
}

SITE_FN void store_other(void *data, const place_of *o, int component, real r)
{
    for (int lane = 0; lane < LANES; lane++)
        ((other *)data)[o->first[lane] + (size_t)component * SITE_TILE] = (other)lane_of(r, lane);
}

SITE_FN color_vector load_native(const vector_view *v, bool is_other, site x)
{
    if (!is_other)
        return load_vector(v, x);
    place_of o = find_in_slab(x, VECTOR_REALS);
    color_vector a;
    for (int i = 0; i < VECTOR_REALS; i++)
        *component(&a, i) = load_other(v->data, &o, i);
    return a;
}

SITE_FN void store_native(const vector_view *v, bool is_other, site x, color_vector a)
{
    if (!is_other) {
        store_vector(v, x, a);
        return;
    }
    place_of o = find_in_slab(x, VECTOR_REALS);
    for (int i = 0; i < VECTOR_REALS; i++)
        store_other(v->data, &o, i, *component(&a, i));
}

SITE_MAP(vector_repack, repack_args, a, x)
{
    color_vector v;
#ifdef SINGLE
    if (a->from_format == VECTOR_HALF)
        v = load_vector_as(VECTOR_HALF, &a->from, x);
    else if (a->from_format == VECTOR_INT20)
        v = load_vector_as(VECTOR_INT20, &a->from, x);
#else
    if (a->from_format == VECTOR_INT30)
        v = load_vector_as(VECTOR_INT30, &a->from, x);
#endif
    else
        v = load_native(&a->from, a->native_is_other, x);
#ifdef SINGLE
    if (a->to_format == VECTOR_HALF)
        store_vector_as(VECTOR_HALF, &a->to, x, v);
    else if (a->to_format == VECTOR_INT20)
        store_vector_as(VECTOR_INT20, &a->to, x, v);
#else
    if (a->to_format == VECTOR_INT30)
        store_vector_as(VECTOR_INT30, &a->to, x, v);
#endif
    else
        store_native(&a->to, a->native_is_other, x, v);
}

SITE_FN su3 load_native_link(const gauge_view *u, bool is_other, site x, int mu)
{
    if (!is_other)
        return load_link(u, x, mu);
    place_of o = find(x, 4 * LINK_REALS);
    su3 m;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            m.e[i][j].re = load_other(u->data, &o, mu * LINK_REALS + 6 * i + 2 * j);
            m.e[i][j].im = load_other(u->data, &o, mu * LINK_REALS + 6 * i + 2 * j + 1);
        }
    return m;
}

SITE_FN void store_native_link(const gauge_view *u, bool is_other, site x, int mu, su3 m)
{
    if (!is_other) {
        store_link(u, x, mu, m);
        return;
    }
    place_of o = find(x, 4 * LINK_REALS);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            store_other(u->data, &o, mu * LINK_REALS + 6 * i + 2 * j, m.e[i][j].re);
            store_other(u->data, &o, mu * LINK_REALS + 6 * i + 2 * j + 1, m.e[i][j].im);
        }
}

/* Applies the macro `with` to each link format that this precision has. */
#ifdef SINGLE
#define LINK_CASES(with) with(LINK_FIXED16) with(LINK_FIXED16_13) with(LINK_FIXED16_12) with(LINK_FIXED16_8) \
                         with(LINK_FIXED16_9) with(LINK_12) with(LINK_8) with(LINK_13) with(LINK_9)
#else
#define LINK_CASES(with) with(LINK_FIXED32) with(LINK_FIXED32_13) with(LINK_FIXED32_12) with(LINK_FIXED32_9) \
                         with(LINK_12) with(LINK_8) with(LINK_13) with(LINK_9)
#endif

SITE_FN void store_packed(const links_pack_args *a, site x, int mu, su3 m)
{
#define STORE(f) if (a->format == f) store_link_as(f, &a->to, x, mu, m); else
    LINK_CASES(STORE)
        store_link(&a->to, x, mu, m);
}

SITE_MAP(links_pack, links_pack_args, a, x)
{
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++)
        store_packed(a, x, mu,
                     su3_axpy((scalar)a->factor, load_native_link(&a->from, a->native_is_other, x, mu), su3_zero()));
}

/* 1 for links between slices of quark fields, 0 for those that touch the first or the last slice */
SITE_FN real weight_between_ends(const lattice_view *l, site x, int mu)
{
    real w = is_between_ends(l, x);
    if (mu == 3)
        for (int lane = 0; lane < LANES; lane++)
            if (slice_of_site(l, x.at[lane]) == l->global[3] - 2)
                set_lane(&w, lane, (scalar)0);
    return w;
}

SITE_MAP(open_links_pack, open_pack_args, a, x)
{
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        su3 m = su3_axpy((scalar)a->p.factor, load_native_link(&a->p.from, a->p.native_is_other, x, mu), su3_zero());
        const real w = weight_between_ends(&a->l, x, mu);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                m.e[i][j].re = m.e[i][j].re * w;
                m.e[i][j].im = m.e[i][j].im * w;
            }
        store_packed(&a->p, x, mu, m);
    }
}

SITE_MAP(links_unpack, links_pack_args, a, x)
{
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        su3 m;
#define LOAD(f) if (a->format == f) m = load_link_as(f, &a->from, x, mu); else
        LINK_CASES(LOAD)
            m = load_link(&a->from, x, mu);
        store_native_link(&a->to, a->native_is_other, x, mu, su3_axpy((scalar)a->factor, m, su3_zero()));
    }
}

SITE_MAP(blocks_pack, blocks_pack_args, a, x)
{
    const place_of o = find(x, CLOVER_REALS);
    KEEP_LOOP
    for (int chirality = 0; chirality < 2; chirality++) {
        clover_block b;
        for (int k = 0; k < BLOCK_REALS; k++)
            *block_number(&b, k) = load_other(a->in.data, &o, BLOCK_REALS * chirality + k);
        store_packed_block(&a->out, x, chirality, b);
    }
}

/* s0 = the largest size of a number in the links of a site */
SITE_SUM(links_largest, 0, 1, gauge_args, a, x, s)
{
    s[0] = spread(0);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        su3 m = load_link(&a->u, x, mu);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                s[0] = larger_or_nan(s[0], larger_or_nan(m.e[i][j].re, -m.e[i][j].re));
                s[0] = larger_or_nan(s[0], larger_or_nan(m.e[i][j].im, -m.e[i][j].im));
            }
    }
}
