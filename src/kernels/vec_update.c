/* vec_update.c - linear combinations of color vectors, in native format. */
#define OVER_SLABS
#define SITE_RESIDENT 12
#include "src/kernels/vector_verbs.h"

SITE_MAP(vector_axpy_sites, vector_args, a, x)
{
    axpy_as(VECTOR_NATIVE, a, x);
}

SITE_MAP(vector_xpay, vector_args, a, x)
{
    xpay_as(VECTOR_NATIVE, a, x);
}

SITE_MAP(vector_multishift_update, multishift_args, a, x)
{
    multishift_update_as(VECTOR_NATIVE, a, x);
}

SITE_MAP(vector_combine, combine_args, a, x)
{
    combine_as(VECTOR_NATIVE, a, x);
}
