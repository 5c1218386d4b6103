/* staggered.h - the staggered Dirac operator on color vectors.
 *
 *     (D v)(x) = sum_mu X_mu(x) v(x+mu) - X_mu(x-mu)^+ v(x-mu) + N_mu(x) v(x+3mu) - N_mu(x-3mu)^+ v(x-3mu)
 *
 * without a factor 1/2, so that M = 2m + D, and on even sites M^+M = 4m^2 + K with K = -D_eo D_oe >= 0. */
#ifndef KILN_OPERATORS_STAGGERED_H
#define KILN_OPERATORS_STAGGERED_H

#include "src/operators/linop.h"
#include "src/operators/staggered_links.h"

/* out <- D in, from one parity to the other, or all to all. */
void staggered_hop(vec *out, const staggered_links *s, int set, const vec *in);

/* The links of one set, borrowed: X, N, and the coefficient of N (contained in N in the formula above); 0: N is not
 * read. */
typedef struct { const gauge *fat, *naik; double coefficient; } staggered_terms;
void staggered_hop_with(vec *out, staggered_terms t, const vec *in);

/* K on the even (or odd) sites, as an operator for solvers.  `between` is a scratch vector on the other parity,
 * borrowed like the links; with it, batches have one system.  staggered_normal_set_work adds scratch vectors, up to
 * BATCH_MAX_RHS in all; batches then have up to that many systems (1, 2, 4 or 8). */
typedef struct {
    linop base;
    const staggered_links *links;     /* looked up in every application; NULL: use `given` */
    int set;
    staggered_terms given;
    vec *between[BATCH_MAX_RHS];     /* [base.max_rhs] */
} staggered_normal_op;
staggered_normal_op staggered_normal_operator(const staggered_links *s, int set, vec *between);
staggered_normal_op staggered_normal_operator_with(staggered_terms t, vec *between);
void staggered_normal_set_work(staggered_normal_op *k, vec *const *between, int count);

/* Bytes and flops of one K v; each of its two hops reads the links that it needs. */
work_count staggered_normal_work(const staggered_links_params *p, const lattice_shape *shape, precision prec);

#endif
