/* vec_update_packed.c - linear combinations of color vectors, in the formats of this precision. */
#define OVER_SLABS
#include "src/kernels/vector_verbs.h"

#define UPDATES(format, suffix)                                                                                        \
    SITE_MAP(vector_axpy_sites##suffix, vector_args, a, x) { axpy_as(format, a, x); }                                  \
    SITE_MAP(vector_xpay##suffix, vector_args, a, x) { xpay_as(format, a, x); }                                        \
    SITE_MAP(vector_multishift_update##suffix, multishift_args, a, x) { multishift_update_as(format, a, x); }          \
    SITE_MAP(vector_combine##suffix, combine_args, a, x) { combine_as(format, a, x); }

#ifdef SINGLE
UPDATES(VECTOR_HALF, _half)
UPDATES(VECTOR_INT20, _int20)
#else
UPDATES(VECTOR_INT30, _int30)
#endif
