/* vec_mixed_args.h - arguments of the kernels of mixed-precision solvers. */
#ifndef KILN_KERNELS_VEC_MIXED_ARGS_H
#define KILN_KERNELS_VEC_MIXED_ARGS_H

#include "src/kernels/vector_args.h"

#include <stdbool.h>

/* p <- (re + i im) r + b from; p and `from` may be the same */
typedef struct { vector_view p, r, from; double re, im, b; } direction_args;

/* x <- x + (re + i im) (b - q) */
typedef struct { vector_view x, b, q; double re, im; } relax_args;

enum { GATHER_MAX = 16 };

/* y <- y + sum_k c_k v_k in double: v in the kernel's precision, y in the same or in the other one */
typedef struct {
    vector_view y;
    bool y_is_other;
    int count;
    vector_view v[GATHER_MAX];
    double c[GATHER_MAX];
} gather_args;

/* y <- a y + sum_k (re_k + i im_k) v_k */
typedef struct {
    vector_view y;
    double a;
    int count;
    vector_view v[GATHER_MAX];
    double re[GATHER_MAX], im[GATHER_MAX];
} project_args;

/* vector_products_together: x_i^+ y */
enum { PRODUCTS_TOGETHER = 4 };
typedef struct { vector_view y, x[PRODUCTS_TOGETHER]; } products_args;

#endif
