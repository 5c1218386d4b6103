/* linop.h - what a solver needs of a linear operator A.
 *
 * For conjugate gradients A is hermitian and >= 0.  For BiCGstab and GCR it may be any operator: then apply_dot is
 * NULL, and add_batch does not sum <p_n, q_n>. */
#ifndef KILN_OPERATORS_LINOP_H
#define KILN_OPERATORS_LINOP_H

#include "src/halo/loop.h"
#include "src/kernels/krylov_args.h"
#include "src/lattice/vec.h"

typedef struct { double flops, bytes; } work_count;      /* of one application, on one process */

typedef struct linop linop;
struct linop {
    /* out <- (A + shift) in; returns <in, out>, summed exactly.  `guess` is an estimate of the result (vec.h).
     * `out` is not `in`, here and below. */
    double (*apply_dot)(const linop *a, vec *out, double shift, const vec *in, double guess);
    /* out <- (A + shift) in */
    void (*apply)(const linop *a, vec *out, double shift, const vec *in);
    /* Adds to a loop, for the systems of a batch at once: q_n <- (A + shift_n) p_n, with shift_n from the state, and
     * <p_n, q_n> with the scalars computed from it (curvature_finish).  The batch has 1, 2, 4 or 8 systems, at most
     * `max_rhs`.  NULL: conjugate gradients apply the operator to one system after the other (solvers/krylov_host.h);
     * BiCGstab needs it. */
    void (*add_batch)(const linop *a, loop *l, const krylov_batch *b, vec *const *q, vec *const *p);
    int max_rhs;
    work_count cost;
};

/* The largest number of systems in a batch, 1, 2, 4 or 8, that is at most `count`. */
static inline int linop_batch_size(int count)
{
    int size = 1;
    while (2 * size <= count && 2 * size <= BATCH_MAX_RHS)
        size *= 2;
    return size;
}

#endif
