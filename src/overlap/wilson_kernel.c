/* wilson_kernel.c - the hermitian Wilson operator with a negative mass, on all sites. */
#include "src/overlap/wilson_kernel.h"

#include "src/halo/vec_batch.h"
#include "src/operators/wilson_launch.h"

/* hop = HOP S (operators/wilson_launch.h) */
#define HOP (-0.5)

/* Flops per site: of the hop, and of y <- y + a x. */
enum { HOP_FLOPS = 1320, AXPY_FLOPS = 48 };

static const parity_set parities[] = { ON_EVEN, ON_ODD };
static const parity_set others[] = { ON_ODD, ON_EVEN };
enum { PARITIES = 2 };

/* out <- D_w in + shift z, or with D_w^+; z may be NULL */
typedef struct { const vec *in, *z; double shift; bool dagger; } kernel_terms;

static void multiply(vec *out, const wilson_kernel *k, kernel_terms t)
{
    for (int i = 0; i < PARITIES; i++) {
        vec to, near, far, z;
        spinor_pair_part(&to, out, parities[i]);
        spinor_pair_part(&near, t.in, parities[i]);
        spinor_pair_part(&far, t.in, others[i]);
        if (t.z)
            spinor_pair_part(&z, t.z, parities[i]);
        wilson_hop_with(&to, k->links, &(wilson_hop_terms){ .scale = HOP, .dagger = t.dagger, .in = &far,
                                                            .a = 4 - k->M0, .y = &near, .z = t.z ? &z : NULL,
                                                            .shift = t.shift });
    }
}

void wilson_kernel_apply(vec *out, const wilson_kernel *k, bool dagger, const vec *in)
{
    multiply(out, k, (kernel_terms){ .in = in, .dagger = dagger });
}

void wilson_kernel_hermitian(vec *out, const wilson_kernel *k, const vec *in)
{
    multiply(k->work, k, (kernel_terms){ .in = in });
    spinor_pair_gamma5(out, k->work);
}

/* ---- for solvers */

static void apply(const linop *base, vec *out, double shift, const vec *in)
{
    const wilson_kernel *k = (const wilson_kernel *)base;
    multiply(k->work, k, (kernel_terms){ .in = in });
    multiply(out, k, (kernel_terms){ .in = k->work, .z = in, .shift = shift, .dagger = true });
}

static double apply_dot(const linop *base, vec *out, double shift, const vec *in, double guess)
{
    (void)guess;
    apply(base, out, shift, in);               /* k->work is now D_w in */
    return shift == 0 ? vec_norm2(((const wilson_kernel *)base)->work) : vec_dot(in, out).re;
}

/* out <- D_w in; with `shifted`: out <- D_w^+ in + s shifted, s the shift of the batch */
static void add_hops(loop *l, const krylov_batch *b, const wilson_kernel *k, vec *out, vec *in, vec *shifted)
{
    for (int i = 0; i < PARITIES; i++) {
        vec to, near, far, add, *to_of = &to, *near_of = &near, *far_of = &far, *add_of = &add;
        spinor_pair_part(&to, out, parities[i]);
        spinor_pair_part(&near, in, parities[i]);
        spinor_pair_part(&far, in, others[i]);
        if (shifted)
            spinor_pair_part(&add, shifted, parities[i]);
        wilson_add_batch_hop(l, b, k->links, &(wilson_batch_hops){ .out = &to_of, .in = &far_of, .y = &near_of,
                                                                   .shifted = shifted ? &add_of : NULL, .scale = HOP,
                                                                   .a = 4 - k->M0, .dagger = shifted != NULL });
    }
}

static void add_batch(const linop *base, loop *l, const krylov_batch *b, vec *const *q, vec *const *p)
{
    const wilson_kernel *k = (const wilson_kernel *)base;
    add_hops(l, b, k, k->work, p[0], NULL);
    add_hops(l, b, k, q[0], k->work, p[0]);
    vec_batch_curvature(l, b, &k->work, p, q);
}

wilson_kernel wilson_kernel_of(const hop_links *links, double M0, vec *work)
{
    const linop base = { apply_dot, apply, add_batch, 1,
                          wilson_kernel_work(lattice_shape_of(work->f.lattice), work->f.precision) };
    return (wilson_kernel){ .base = base, .links = links, .M0 = M0, .work = work };
}

/* H^2 has four hops from one parity to the other; each reads two spinors per site and writes one. */
work_count wilson_kernel_work(const lattice_shape *shape, precision in)
{
    const vec_storage stored = { VECTOR_NATIVE, in };
    return (work_count){ .flops = 4.0 * (HOP_FLOPS + AXPY_FLOPS) * (double)lattice_half(shape),
                         .bytes = 4 * 1.5 * PAIR_SLABS * (double)vec_bytes(shape, in, ON_ODD)
                                  + 4.0 * (double)hop_links_bytes_for(shape, stored) };
}
