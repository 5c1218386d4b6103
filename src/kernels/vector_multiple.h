/* vector_multiple.h - a color vector plus a complex multiple of another one. */
#ifndef KILN_KERNELS_VECTOR_MULTIPLE_H
#define KILN_KERNELS_VECTOR_MULTIPLE_H

#include "src/site/site.h"

/* v + (re + i im) a */
SITE_FN color_vector vector_plus_multiple(color_vector v, double re, double im, color_vector a)
{
    cplx factor;
    factor.re = spread((scalar)re);
    factor.im = spread((scalar)im);
    UNROLL_LOOP
    for (int i = 0; i < 3; i++)
        v.c[i] = cplx_mad(factor, a.c[i], v.c[i]);
    return v;
}

#endif
