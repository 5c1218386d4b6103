/* line_args.h - arguments of the kernels of products of links along lines, and of spatial APE smearing. */
#ifndef KILN_KERNELS_LINE_ARGS_H
#define KILN_KERNELS_LINE_ARGS_H

#include "src/kernels/args.h"

/* Fields of matrices: `in` is read at a neighbour, `out`, `a` and `b` at the site; u: links, in direction mu */
typedef struct { lattice_view l; gauge_view u; matrix_view in, out, a, b; int mu; } line_args;

/* out <- (1 - alpha) u + alpha/4 (the staples in space), in the directions of space; out <- u in t */
typedef struct { lattice_view l; gauge_view u, out; double alpha; } ape_args;

#endif
