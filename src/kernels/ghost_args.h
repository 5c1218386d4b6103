/* ghost_args.h - arguments of ghost_pack. */
#ifndef KILN_KERNELS_GHOST_ARGS_H
#define KILN_KERNELS_GHOST_ARGS_H

#include "src/site/view.h"

/* Entry n of each slab of `to` <- site sites[n] of the slab.  A site has `records` records of `words` words of 32 bits
 * (site/words.h).  A slab of `to` has slab_words words. */
typedef struct {
    const int *sites;
    field_view from;
    void *to;
    int records, words, slab_words;
} ghost_pack_args;

#endif
