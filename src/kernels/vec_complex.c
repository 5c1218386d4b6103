/* vec_complex.c - sums of colour vectors with complex factors, in native format. */
#define OVER_SLABS
#include "src/kernels/vec_complex_args.h"
#include "src/site/site.h"

SITE_MAP(vector_complex_axpy, vector_complex_args, a, x)
{
    cplx factor;
    factor.re = spread((scalar)a->re);
    factor.im = spread((scalar)a->im);
    const color_vector v = load_vector(&a->x, x);
    color_vector y = load_vector(&a->y, x);
    for (int i = 0; i < 3; i++)
        y.c[i] = cplx_mad(factor, v.c[i], y.c[i]);
    store_vector(&a->y, x, y);
}
