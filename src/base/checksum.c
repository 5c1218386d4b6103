/* checksum.c - the SciDAC checksum, and a digest. */
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

uint64_t digest64(uint64_t start, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < n; i++)
        start = (start ^ p[i]) * 0x100000001b3u;
    return start;
}
