/* checksum.c - the SciDAC checksum, the checksum of cksum, and a digest. */
#include "src/base/checksum.h"

#include <stdbool.h>
#include <zlib.h>

uint32_t rotate_left32(uint32_t word, unsigned by)
{
    return by ? (word << by) | (word >> (32 - by)) : word;
}

void scidac_checksum_add(scidac_checksum *sum, uint64_t site_rank, const void *site_bytes, size_t n)
{
    uint32_t crc = (uint32_t)crc32(0, site_bytes, (uInt)n);
    sum->a ^= rotate_left32(crc, (unsigned)(site_rank % 29));
    sum->b ^= rotate_left32(crc, (unsigned)(site_rank % 31));
}

void posix_cksum_begin(posix_cksum *c)
{
    c->crc = 0;
    c->bytes = 0;
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t rest = byte << 24;
        for (int bit = 0; bit < 8; bit++)
            rest = rest << 1 ^ (rest >> 31 ? 0x04c11db7u : 0);
        c->table[byte] = rest;
    }
}

static void add_byte(posix_cksum *c, unsigned char byte)
{
    c->crc = c->crc << 8 ^ c->table[c->crc >> 24 ^ byte];
}

void posix_cksum_add(posix_cksum *c, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < n; i++)
        add_byte(c, p[i]);
    c->bytes += n;
}

uint32_t posix_cksum_end(posix_cksum *c)
{
    for (uint64_t rest = c->bytes; rest; rest >>= 8)
        add_byte(c, (unsigned char)(rest & 0xff));
    return ~c->crc;
}

#define DIGEST64_PRIME 0x100000001b3u

uint64_t digest64(uint64_t start, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < n; i++)
        start = (start ^ p[i]) * DIGEST64_PRIME;
    return start;
}

/* Each multiplication of a digest waits for the one before it, so that a processor can compute several digests side by
 * side in the time of one. */
enum { LANES = 4 };
typedef struct { uint64_t digest; const unsigned char *at; size_t left; int text; } lane;

static void advance_lanes(lane *l, size_t n)
{
    uint64_t a = l[0].digest, b = l[1].digest, c = l[2].digest, d = l[3].digest;
    for (size_t i = 0; i < n; i++) {
        a = (a ^ l[0].at[i]) * DIGEST64_PRIME;
        b = (b ^ l[1].at[i]) * DIGEST64_PRIME;
        c = (c ^ l[2].at[i]) * DIGEST64_PRIME;
        d = (d ^ l[3].at[i]) * DIGEST64_PRIME;
    }
    const uint64_t digest[LANES] = { a, b, c, d };
    for (int k = 0; k < LANES; k++) {
        l[k].digest = digest[k];
        l[k].at += n;
        l[k].left -= n;
    }
}

/* The lane with the fewest bytes left. */
static int shortest_lane(const lane *l)
{
    int shortest = 0;
    for (int k = 1; k < LANES; k++)
        shortest = l[k].left < l[shortest].left ? k : shortest;
    return shortest;
}

void digest64_many(uint64_t *digest, const digest64_text *text, int count)
{
    lane l[LANES] = { { 0 } };
    int begun = 0;
    for (int k = 0; k < LANES && begun < count; k++, begun++)
        l[k] = (lane){ DIGEST64_START, text[begun].bytes, text[begun].n, begun };
    for (bool full = begun == LANES; full;) {
        const int k = shortest_lane(l);
        advance_lanes(l, l[k].left);
        full = begun < count;
        if (full) {
            digest[l[k].text] = l[k].digest;
            l[k] = (lane){ DIGEST64_START, text[begun].bytes, text[begun].n, begun };
            begun++;
        }
    }
    for (int k = 0; k < LANES && k < begun; k++)
        digest[l[k].text] = digest64(l[k].digest, l[k].at, l[k].left);
}
