/* ghost_pack.c - copy the numbers of listed sites, as they are stored, into tiles that other ranks take as ghosts. */
#define ONE_LANE
#define OVER_SLABS
#include "src/kernels/ghost_args.h"
#include "src/site/site.h"
#include "src/site/words.h"

/* Numbers of any precision and format are words: one variant serves all. */
#ifdef SINGLE

SITE_FN void copy_units(uint32_t *to, int entry, const uint32_t *from, int x, const ghost_pack_args *a, int record,
                        int first, int width)
{
    const uint32_t *word = from + unit_at(x, a->records, record, a->words, first, width);
    uint32_t *there = to + unit_at(entry, a->records, record, a->words, first, width);
    for (int i = 0; i < width; i++)
        there[i] = word[i];
}

SITE_MAP(ghost_pack, ghost_pack_args, a, n)
{
    const int entry = n.at[0], slab = n.before, x = a->sites[entry] + slab * a->from.slab_sites;
    const uint32_t *from = (const uint32_t *)a->from.data;
    uint32_t *to = (uint32_t *)a->to + (ptrdiff_t)slab * a->slab_words;
    for (int record = 0; record < a->records; record++) {
        for (int first = 0; first + 4 <= a->words; first += 4)
            copy_units(to, entry, from, x, a, record, first, 4);
        if (a->words & 2)
            copy_units(to, entry, from, x, a, record, a->words & ~3, 2);
        if (a->words & 1)
            copy_units(to, entry, from, x, a, record, a->words - 1, 1);
    }
}

#endif
