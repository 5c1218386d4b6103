/* link_pair_args.h - two fields of links, to be compared. */
#ifndef KILN_KERNELS_LINK_PAIR_ARGS_H
#define KILN_KERNELS_LINK_PAIR_ARGS_H

#include "src/kernels/args.h"

typedef struct { lattice_view l; gauge_view u, v; } link_pair_args;

#endif
