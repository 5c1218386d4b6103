/* vec_complex_args.h - arguments of vector_complex_axpy: y <- y + a x with a complex a. */
#ifndef KILN_KERNELS_VEC_COMPLEX_ARGS_H
#define KILN_KERNELS_VEC_COMPLEX_ARGS_H

#include "src/site/view.h"

typedef struct { vector_view x, y; double re, im; } vector_complex_args;

#endif
