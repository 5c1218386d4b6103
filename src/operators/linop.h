/* linop.h - a hermitian operator >= 0 on vectors, as solvers see it. */
#ifndef KILN_OPERATORS_LINOP_H
#define KILN_OPERATORS_LINOP_H

#include "src/kernels/krylov_args.h"
#include "src/lattice/loop.h"
#include "src/lattice/vec.h"

typedef struct { double flops, bytes; } work_count;      /* of one application, on one process */

typedef struct linop linop;
struct linop {
    /* out <- (A + shift) in; returns <in, out>, exact.  `guess` as in vec.h, of the result. */
    double (*apply_dot)(const linop *a, vec *out, double shift, const vec *in, double guess);
    /* out <- (A + shift) in */
    void (*apply)(const linop *a, vec *out, double shift, const vec *in);
    /* Adds to a loop, for the systems of a batch at once: q_n <- (A + shift_n) p_n, shifts in the state, and <p_n, q_n>
     * with all that follows from it (curvature_finish).  The batch has 1, 2, 4 or 8 systems, and at most `max_rhs`. */
    void (*add_batch)(const linop *a, loop *l, const krylov_batch *b, vec *const *q, vec *const *p);
    int max_rhs;
    work_count cost;
};

#endif
