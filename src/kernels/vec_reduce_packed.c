/* vec_reduce_packed.c - norms and products of color vectors, in the formats of this precision. */
#define OVER_SLABS
#include "src/kernels/vector_verbs.h"

#define REDUCTIONS(format, suffix)                                                                                     \
    SITE_SUM(vector_norms##suffix, 1, 1, vector_args, a, x, s) { norms_as(format, a, x, s); }                          \
    SITE_SUM(vector_products##suffix, 2, 1, vector_args, a, x, s) { products_as(format, a, x, s); }                    \
    SITE_SUM(vector_axpy_norm2##suffix, 1, 0, vector_args, a, x, s) { s[0] = vector_norm2(axpy_as(format, a, x)); }

#ifdef SINGLE
REDUCTIONS(VECTOR_HALF, _half)
REDUCTIONS(VECTOR_INT20, _int20)
#else
REDUCTIONS(VECTOR_INT30, _int30)
#endif
