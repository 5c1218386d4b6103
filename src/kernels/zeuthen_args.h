/* zeuthen_args.h - arguments of the kernel of the Zeuthen flow. */
#ifndef KILN_KERNELS_ZEUTHEN_ARGS_H
#define KILN_KERNELS_ZEUTHEN_ARGS_H

#include "src/kernels/args.h"

/* z is read at neighbors, too; the kernel adds to p */
typedef struct { lattice_view l; gauge_view u; momentum_view p, z; double weight; } zeuthen_args;

#endif
