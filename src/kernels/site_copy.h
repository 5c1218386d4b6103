/* site_copy.h - copies the numbers of a site, as they are stored in any precision and format.
 *
 * A site has `records` records of `words` words of 32 bits (site/words.h).  Several loads come before the stores: the
 * compiler must assume that a store changes what is loaded after it. */
#ifndef KILN_KERNELS_SITE_COPY_H
#define KILN_KERNELS_SITE_COPY_H

#include "src/site/words.h"

enum { LOADS_BEFORE_STORES = 8 };

/* Copies records of one unit of `width` words; the units of the sites of a tile are adjacent. */
SITE_FN void copy_short_records(uint32_t *to, const uint32_t *from, int records, int width)
{
    KEEP_LOOP
    for (int i = 0; i < records; i += LOADS_BEFORE_STORES) {
        bits record[LOADS_BEFORE_STORES][4];
        UNROLL_LOOP
        for (int k = 0; k < LOADS_BEFORE_STORES; k++)
            if (i + k < records)
                words_from(record[k], from + (ptrdiff_t)(i + k) * (width * SITE_TILE), width);
        UNROLL_LOOP
        for (int k = 0; k < LOADS_BEFORE_STORES; k++)
            if (i + k < records)
                words_to(to + (ptrdiff_t)(i + k) * (width * SITE_TILE), record[k], width);
    }
}

/* Copies a unit of `width` words, which begins at word `first` of a record. */
SITE_FN void copy_unit(uint32_t *to, int to_x, const uint32_t *from, int x, int records, int record, int words,
                       int first, int width)
{
    bits unit[4];
    words_from(unit, from + unit_at(x, records, record, words, first, width), width);
    words_to(to + unit_at(to_x, records, record, words, first, width), unit, width);
}

/* Copies site x of `from` to site to_x of `to`. */
SITE_FN void copy_site(uint32_t *to, int to_x, const uint32_t *from, int x, int records, int words)
{
    if (words == 1)
        copy_short_records(to + unit_at(to_x, records, 0, 1, 0, 1), from + unit_at(x, records, 0, 1, 0, 1), records, 1);
    else if (words == 2)
        copy_short_records(to + unit_at(to_x, records, 0, 2, 0, 2), from + unit_at(x, records, 0, 2, 0, 2), records, 2);
    else
        for (int record = 0; record < records; record++) {
            for (int first = 0; first + 4 <= words; first += 4)
                copy_unit(to, to_x, from, x, records, record, words, first, 4);
            if (words & 2)
                copy_unit(to, to_x, from, x, records, record, words, words & ~3, 2);
            if (words & 1)
                copy_unit(to, to_x, from, x, records, record, words, words - 1, 1);
        }
}

#endif
