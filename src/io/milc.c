/* milc.c - the binary format of MILC, version 5.
 *
 * 96 bytes: magic 20103, nx, ny, nz, nt, 64 characters of time stamp, order of sites (0: lexicographic),
 * sum29, sum31; then the links in single precision, all in one byte order, which the magic shows.
 * sum29 (sum31) = exclusive or over the 32-bit words k of word k rotated left by k mod 29 (31).
 *
 * Kiln writes little endian, with the epoch as time stamp: the same links give the same bytes. */
#include "src/io/links_formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAGIC = 20103, HEADER_BYTES = 96, EXTENTS_AT = 4, STAMP_AT = 20, ORDER_AT = 84, SUM29_AT = 88, SUM31_AT = 92 };

static void add_site(links_sum *sum, uint64_t rank, const unsigned char *site, size_t bytes,
                     const links_layout *layout)
{
    milc_sums *sums = &sum->milc;
    uint64_t k = rank * (bytes / 4);
    for (size_t i = 0; i < bytes; i += 4, k++) {
        uint32_t word = word_decode(site + i, layout->big_endian);
        sums->sum29 ^= rotate_left32(word, (unsigned)(k % 29));
        sums->sum31 ^= rotate_left32(word, (unsigned)(k % 31));
    }
}

static void merge_sums(links_sum *sum, const links_sum *other)
{
    sum->milc.sum29 ^= other->milc.sum29;
    sum->milc.sum31 ^= other->milc.sum31;
}

static void print_sum(char printed[48], const links_sum *sum)
{
    snprintf(printed, 48, "%" PRIx32 " %" PRIx32, sum->milc.sum29, sum->milc.sum31);
}

const links_checksum milc_checksum = { add_site, merge_sums, print_sum, "checksum: the header" };

bool milc_read(const links_source *s, links_info *info, links_block *block, failure *f)
{
    unsigned char header[HEADER_BYTES];
    if (!links_source_read(s, 0, header, sizeof header, "header", f))
        return false;
    links_layout layout = { .bits = 32, .big_endian = word_decode(header, true) == MAGIC, .rows = 3 };

    long long found[4];
    for (int mu = 0; mu < 4; mu++)
        found[mu] = (int32_t)word_decode(header + EXTENTS_AT + 4 * mu, layout.big_endian);
    uint32_t order = word_decode(header + ORDER_AT, layout.big_endian);
    if (order != 0)
        return fail(f, "%s: header: order of sites %" PRIu32 "; Kiln reads 0 (lexicographic) only", s->path, order);
    if (!links_extents_check(s, "header", found, info->extents, f)
        || !links_size_check(s, "links", s->size - HEADER_BYTES, info->extents, &layout, f))
        return false;

    const links_sum stored = { .milc = { word_decode(header + SUM29_AT, layout.big_endian),
                                         word_decode(header + SUM31_AT, layout.big_endian) } };
    info->format = FORMAT_MILC;
    info->bits = layout.bits;
    info->has_checksum = true;
    print_sum(info->checksum, &stored);
    *block = (links_block){ "links", HEADER_BYTES, layout, false };
    return true;
}

bool milc_write(const links_target *t, failure *f)
{
    static const char stamp[] = "Thu Jan  1 00:00:00 1970";
    const links_layout layout = { .bits = 32, .big_endian = false, .rows = 3 };
    unsigned char header[HEADER_BYTES] = { 0 };
    links_sum sums = { .milc = { 0, 0 } }, again = sums;
    const links_sink file = { .checksum = &milc_checksum, .sum = &again, .put = links_put_stream };
    if (!links_encode(t, &layout, &(links_sink){ .checksum = &milc_checksum, .sum = &sums }, f))
        return false;
    print_sum(t->info->checksum, &sums);

    word_encode(header, MAGIC, layout.big_endian);
    for (int mu = 0; mu < 4; mu++)
        word_encode(header + EXTENTS_AT + 4 * mu, (uint32_t)t->info->extents[mu], layout.big_endian);
    memcpy(header + STAMP_AT, stamp, sizeof stamp);
    word_encode(header + SUM29_AT, sums.milc.sum29, layout.big_endian);
    word_encode(header + SUM31_AT, sums.milc.sum31, layout.big_endian);

    return links_put_stream(t, NULL, header, sizeof header, f)
           && links_encode(t, &layout, &file, f);
}
