/* line_args.h - arguments of the kernels of products of links along lines, and of APE and hypercubic smearing. */
#ifndef KILN_KERNELS_LINE_ARGS_H
#define KILN_KERNELS_LINE_ARGS_H

#include "src/kernels/args.h"

/* Fields of matrices: `in` is read at a neighbor, `out`, `a` and `b` at the site; u: links, in direction mu */
typedef struct { lattice_view l; gauge_view u; matrix_view in, out, a, b; int mu; } line_args;

/* out <- (1 - alpha) u + alpha/4 (the staples in space), in the directions of space; out <- u in t */
typedef struct { lattice_view l; gauge_view u, out; double alpha; } ape_args;

/* A level of hypercubic smearing before its projection (hyp_links.c): level 1, 2 or 3; k = 1, 2, 3 for levels 1 and 2.
 * in[0]: u, for level 1; in[1] ... in[3]: the links of the previous level with k = 1, 2, 3, for levels 2 and 3. */
typedef struct { lattice_view l; gauge_view u, in[4], out; double alpha; int level, k; } hyp_args;

#endif
