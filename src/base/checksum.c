/* checksum.c - the SciDAC checksum, the checksum of cksum, and a digest. */
#include "src/base/checksum.h"

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

uint64_t digest64(uint64_t start, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < n; i++)
        start = (start ^ p[i]) * 0x100000001b3u;
    return start;
}
