/* dwf_hops.h - the hop of domain-wall quarks with what follows in the fifth dimension, in a literal vector format.
 *
 * All slices of a site share its links and its neighbors.  neighbor_sum.h and this file fix the order of operations,
 * and so the bits of a result: sums over slices run upwards. */
#ifndef KILN_KERNELS_DWF_HOPS_H
#define KILN_KERNELS_DWF_HOPS_H

#include "src/kernels/dwf_args.h"
#include "src/kernels/neighbor_sum.h"

/* The terms a y + b z that are added to K v. */
typedef struct { const vector_view *y, *z; double a, b; } dwf_terms;

/* Returns the vector as it is stored. */
SITE_FN color_vector store_with_terms(vector_format f, const vector_view *out, const dwf_terms *t, color_vector o,
                                      site x)
{
    if (t->a != 0)
        o = vector_axpy((scalar)t->a, load_vector_as(f, t->y, x), o);
    if (t->b != 0)
        o = vector_axpy((scalar)t->b, load_vector_as(f, t->z, x), o);
    return store_vector_as(f, out, x, o);
}

/* Returns K v in slice s and chirality c, with p_s of dwf_args.h in *p; then advances *p to the next slice. */
SITE_FN color_vector fifth_step(const fifth_table *k, int c, int s, color_vector v, color_vector w, color_vector *p)
{
    color_vector o = vector_scale((scalar)k->d[c][s], v);
    if (k->diagonal)
        return o;
    o = vector_axpy((scalar)k->e[c][s], *p, o);
    o = vector_axpy((scalar)k->h[c][s], w, o);
    *p = vector_axpy((scalar)k->a[c][s], v, vector_scale((scalar)k->r[c][s], *p));
    return o;
}

/* v <- K v in chirality c; v[SPINS s] is slice s. */
SITE_PART void fifth_in_place(const fifth_table *k, int c, int Ls, color_vector *v)
{
    color_vector w = vector_zero(), p = vector_zero();
    KEEP_LOOP
    for (int s = 0; s < Ls; s++)
        w = vector_axpy((scalar)k->g[c][s], v[SPINS * s], w);
    KEEP_LOOP
    for (int i = 0; i < Ls; i++) {
        const int s = k->up[c] ? i : Ls - 1 - i;
        v[SPINS * s] = fifth_step(k, c, s, v[SPINS * s], w, &p);
    }
}

/* out <- K in for one spin: x is in the slab of this spin in the first slice; `out` may be `in` */
SITE_FN void fifth_as(vector_format f, const vector_view *out, const vector_view *in, const fifth_table *k, int Ls,
                      site x)
{
    const int spin = x.before / in->slab_sites, c = spin / 2;
    color_vector w = vector_zero(), p = vector_zero();
    KEEP_LOOP
    for (int s = 0; s < Ls; s++)
        w = vector_axpy((scalar)k->g[c][s], load_vector_as(f, in, site_in_slab(in, SPINS * s + spin, x)), w);
    KEEP_LOOP
    for (int i = 0; i < Ls; i++) {
        const int s = k->up[c] ? i : Ls - 1 - i;
        const site here = site_in_slab(in, SPINS * s + spin, x);
        store_vector_as(f, out, here, fifth_step(k, c, s, load_vector_as(f, in, here), w, &p));
    }
}

/* out <- K S in + terms; also second <- K' out, unless `second` is NULL */
SITE_FN void dwf_hop_as(vector_format f, const lattice_view *l, const gauge_view *u, double boundary,
                         const hop_phases *phases, bool dagger, const vector_view *out, const vector_view *in,
                         const fifth_table *k, const dwf_terms *t, int Ls, site x, const vector_view *second,
                         const fifth_table *k2)
{
    color_vector v[SPINS * SLICES_MAX];
    KEEP_LOOP
    for (int s = 0; s < Ls; s++) {
        spinor sum = sum_of_neighbors(f, LINK_12, l, u, boundary, phases, dagger, in, x, s);
        UNROLL_LOOP
        for (int spin = 0; spin < SPINS; spin++)
            v[SPINS * s + spin] = sum.s[spin];
    }
    KEEP_LOOP
    for (int spin = 0; spin < SPINS; spin++)
        fifth_in_place(k, spin / 2, Ls, v + spin);
    KEEP_LOOP
    for (int slab = 0; slab < SPINS * Ls; slab++)
        v[slab] = store_with_terms(f, out, t, v[slab], site_in_slab(out, slab, x));
    if (!second)
        return;
    KEEP_LOOP
    for (int spin = 0; spin < SPINS; spin++)
        fifth_in_place(k2, spin / 2, Ls, v + spin);
    KEEP_LOOP
    for (int slab = 0; slab < SPINS * Ls; slab++)
        store_vector_as(f, second, site_in_slab(second, slab, x), v[slab]);
}

#define DWF_HOPS(format, suffix)                                                                                       \
    SITE_MAP(dwf_hop_sites##suffix, dwf_hop_args, a, x)                                                                \
    {                                                                                                                  \
        dwf_terms t;                                                                                                   \
        t.y = &a->y;                                                                                                   \
        t.z = &a->z;                                                                                                   \
        t.a = a->a;                                                                                                    \
        t.b = a->b;                                                                                                    \
        dwf_hop_as(format, &a->l, &a->u, a->boundary, &a->phases, a->dagger, &a->out, &a->in, &a->k, &t, a->Ls, x, 0,  \
                   0);                                                                                                 \
    }                                                                                                                  \
    SITE_MAP(dwf_fifth_sites##suffix, dwf_fifth_args, a, x)                                                            \
    {                                                                                                                  \
        fifth_as(format, &a->out, &a->in, &a->k, a->Ls, x);                                                            \
    }

/* The systems of a batch, one after the other.  `second` is copied because a pointer that is either NULL or points to a
 * kernel argument needs an address in memory of the driver, which memcheck does not know in a loop on the device. */
#define DWF_BATCH_HOPS(format, suffix)                                                                                 \
    KRYLOV_MAP(dwf_batch_hop##suffix, dwf_batch_hop_args, a, x)                                                        \
    {                                                                                                                  \
        KEEP_LOOP                                                                                                      \
        for (int n = 0; n < a->b.count; n++) {                                                                         \
            const vector_view second = a->second[n];                                                                   \
            dwf_terms t;                                                                                               \
            t.y = &a->y[n];                                                                                            \
            t.z = &a->z[n];                                                                                            \
            t.a = a->a;                                                                                                \
            t.b = a->with_shift ? a->b.state->system[a->b.number[n]].shift : 0;                                        \
            dwf_hop_as(format, &a->l, &a->u, a->boundary, &a->phases, a->dagger, &a->out[n], &a->in[n], &a->k, &t,     \
                        a->Ls, x, a->has_second ? &second : 0, &a->k2);                                                \
        }                                                                                                              \
    }

#endif
