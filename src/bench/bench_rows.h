/* bench_rows.h - for all benchmarks of kernels: flops of common operations, and rows of the table. */
#ifndef KILN_BENCH_BENCH_ROWS_H
#define KILN_BENCH_BENCH_ROWS_H

#include "src/bench/bench.h"

/* Flops of the operations in kernels; each +, - and * is one. */
enum {
    PRODUCT = 198,                    /* of 3x3 matrices */
    MATRIX_AXPY = 36,
    TRACE_OF_PRODUCT = 36,
    NORM2 = 20,                       /* of an antihermitian matrix */
    ALGEBRA_AXPY = 16,
    ALGEBRA_PART = 20,
    /* the norm, a scaled copy, the determinant, 18 steps of the series, Y^2, the quadratic as a matrix */
    EXPONENTIAL = NORM2 + 2 + 8 + 72 + 18 * 12 + PRODUCT + 144,
    TWO_ROWS = 2 * 20 + 50 + 48,      /* norms, projection, cross product */
    LINK_OF_FORCE = PRODUCT + ALGEBRA_PART + NORM2 + ALGEBRA_AXPY,
    /* for one direction with sign: kernels/gauge_staples.h */
    PLAQUETTE_STAPLE = 2 * PRODUCT + MATRIX_AXPY,
    RECTANGLE_STAPLES = 11 * PRODUCT + 5 * MATRIX_AXPY,
    PARALLELOGRAM_STAPLES = 13 * PRODUCT + 5 * MATRIX_AXPY
};

bench_row *bench_add_row(bench_table *t, const char *name, const char *variant, precision p, bench_time time);

#endif
