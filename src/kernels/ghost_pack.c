/* ghost_pack.c - copies the numbers of listed sites, as stored, into tiles that become ghosts of other ranks. */
#define ONE_LANE
#define OVER_SLABS
#include "src/kernels/ghost_args.h"
#include "src/kernels/site_copy.h"
#include "src/site/site.h"

/* Numbers of any precision and format are words: one variant serves all. */
#ifdef SINGLE

SITE_MAP(ghost_pack, ghost_pack_args, a, n)
{
    const int entry = n.at[0], slab = n.before, x = a->sites[entry] + slab * a->from.slab_sites;
    const uint32_t *from = (const uint32_t *)a->from.data;
    uint32_t *to = (uint32_t *)a->to + (ptrdiff_t)slab * a->slab_words;
    copy_site(to, entry, from, x, a->records, a->words);
}

#endif
