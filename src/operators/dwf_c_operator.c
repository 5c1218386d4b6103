/* dwf_c_operator.c - C of domain-wall quarks, or C^+, for solvers of systems that are not hermitian. */
#include "src/operators/dwf.h"

#include <assert.h>

static void apply_c(const linop *base, vec *out, double shift, const vec *in)
{
    const dwf_op *op = (const dwf_op *)base;
    if (op->dagger)
        dwf_c_dagger(out, op->links, &op->matrix, in, op->even[0], op->odd[0][0]);
    else
        dwf_c(out, op->links, &op->matrix, in, op->even[0]);
    if (shift != 0)
        vec_axpy(out, shift, in);
}

static void add_batch_c(const linop *base, loop *l, const krylov_batch *b, vec *const *q, vec *const *p)
{
    const dwf_op *op = (const dwf_op *)base;
    const dwf_matrix *m = &op->matrix;
    dwf_add_batch_hop(l, b, op->links, &(dwf_batch_hops){ .out = op->even, .in = p, .k = &m->k });
    dwf_add_batch_hop(l, b, op->links, &(dwf_batch_hops){ .out = q, .in = op->even, .k = &m->minus_k, .a = 1, .y = p,
                                                          .shifted = p });
}

/* C^+ = 1 - hop_eo^+ K^T hop_oe^+ K^T */
static void add_batch_c_dagger(const linop *base, loop *l, const krylov_batch *b, vec *const *q, vec *const *p)
{
    const dwf_op *op = (const dwf_op *)base;
    const dwf_matrix *m = &op->matrix;
    const fifth_table minus = fifth_one(m->weights.Ls, -1);
    vec *transposed[BATCH_MAX_RHS];
    for (int n = 0; n < b->count; n++) {
        transposed[n] = op->odd[n][0];
        dwf_add_fifth(l, transposed[n], &m->k_transposed, p[n]);
    }
    dwf_add_batch_hop(l, b, op->links, &(dwf_batch_hops){ .out = op->even, .in = transposed, .k = &m->k_transposed,
                                                          .dagger = true });
    dwf_add_batch_hop(l, b, op->links, &(dwf_batch_hops){ .out = q, .in = op->even, .k = &minus, .dagger = true,
                                                          .a = 1, .y = p, .shifted = p });
}

/* Half the work of C^+C. */
dwf_op dwf_c_operator(const hop_links *l, const dwf_matrix *m, bool dagger, vec *const *even,
                      vec *const (*odd)[2], int max_rhs)
{
    dwf_op op = dwf_normal_operator(l, m, even, odd, max_rhs);
    op.base.apply_dot = NULL;
    op.base.apply = apply_c;
    op.base.add_batch = dagger ? add_batch_c_dagger : add_batch_c;
    op.base.cost.flops /= 2;
    op.base.cost.bytes /= 2;
    op.dagger = dagger;
    return op;
}
