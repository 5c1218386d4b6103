/* staggered_full.c - the staggered operator on all sites. */
#include "src/operators/staggered_full.h"

#include "src/halo/vec_batch.h"
#include "src/operators/staggered_apply.h"

static staggered_links_view links_of(const staggered_full_op *op)
{
    return op->low ? staggered_low_links(op->low, op->set) : staggered_links_now(op->links, op->set);
}

static double sign_of(const staggered_full_op *op)
{
    return op->dagger ? -1 : 1;
}

static void apply(const linop *base, vec *out, double shift, const vec *in)
{
    const staggered_full_op *op = (const staggered_full_op *)base;
    const staggered_links_view h = links_of(op);
    const double sign = sign_of(op);
    staggered_apply_hop(out, &h, in);
    vec_combine(out, shift, in, &sign, &out, 1);
}

static void add_batch(const linop *base, loop *l, const krylov_batch *b, vec *const *q, vec *const *p)
{
    const staggered_full_op *op = (const staggered_full_op *)base;
    const staggered_links_view h = links_of(op);
    staggered_add_batch_hop(l, &h, b, q, p);
    vec_batch_shift(l, b, q, sign_of(op), p);
}

static const linop functions = { .apply = apply, .add_batch = add_batch, .max_rhs = BATCH_MAX_RHS };

staggered_full_op staggered_full_operator(const staggered_links *s, int set, bool dagger)
{
    return (staggered_full_op){ .base = functions, .links = s, .set = set, .dagger = dagger };
}

staggered_full_op staggered_full_operator_low(const staggered_low *low, int set, bool dagger)
{
    return (staggered_full_op){ .base = functions, .low = low, .set = set, .dagger = dagger };
}
