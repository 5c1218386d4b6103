/* linop.h - a hermitian operator >= 0 on vectors, as solvers see it. */
#ifndef KILN_OPERATORS_LINOP_H
#define KILN_OPERATORS_LINOP_H

#include "src/lattice/vec.h"

typedef struct { double flops, bytes; } work_count;      /* of one application */

typedef struct linop linop;
struct linop {
    /* out <- (A + shift) in; returns <in, out>, exact.  `guess` as in vec.h, of the result. */
    double (*apply_dot)(const linop *a, vec *out, double shift, const vec *in, double guess);
    /* out <- (A + shift) in */
    void (*apply)(const linop *a, vec *out, double shift, const vec *in);
    work_count cost;
};

#endif
