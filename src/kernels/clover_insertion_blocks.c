/* clover_insertion_blocks.c - insertions of hermitian blocks. */
#include "src/kernels/clover_insertion.h"
#include "src/site/site.h"

SITE_MAP(clover_insertion_blocks, clover_insertion_blocks_args, a, x)
{
    const real factor = spread((scalar)a->a);
    add_block_insertions(&a->out, x, factor, load_clover_block(&a->blocks, x, 0), load_clover_block(&a->blocks, x, 1));
}
