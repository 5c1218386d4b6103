/* fuzz_metadata.c - arbitrary texts as the records around the links of one site.
 *
 * The input is the records' texts with a zero between them; the LIME headers around them, and links that have the size
 * for one site in double precision, are put there: what is tried is what the records say and whether they agree. */
#include "tests/fuzz/targets.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 144, LINK_BYTES = 576, TYPES = 7, MOST_BYTES = 1 << 16 };

static const char *const types[TYPES] = { "ildg-format",       "scidac-private-file-xml", "scidac-private-record-xml",
                                          "scidac-record-xml", "scidac-checksum",         "ildg-data-lfn",
                                          "kiln-run-state" };

static uint8_t *put_record(uint8_t *to, const char *type, const void *data, size_t n, bool begins, bool ends)
{
    memset(to, 0, HEADER + n + 8);
    memcpy(to, "\x45\x67\x89\xab\0\1", 6);
    to[6] = (uint8_t)((begins ? 0x80 : 0) | (ends ? 0x40 : 0));
    for (int i = 0; i < 8; i++)
        to[8 + i] = (uint8_t)((uint64_t)n >> (56 - 8 * i));
    memcpy(to + 16, type, strlen(type));
    if (n > 0)
        memcpy(to + HEADER, data, n);
    return to + HEADER + (n + 7) / 8 * 8;
}

bool fuzz_metadata(const uint8_t *bytes, size_t n)
{
    static const uint8_t links[LINK_BYTES];
    if (n > MOST_BYTES)
        return false;
    uint8_t *file = malloc(n + (TYPES + 1) * (HEADER + 8) + LINK_BYTES + 8), *end = file;
    const uint8_t *at = bytes, *stop = bytes + n;
    for (int i = 0; i < TYPES && at < stop; i++) {
        const uint8_t *zero = memchr(at, 0, (size_t)(stop - at)), *next = zero ? zero : stop;
        if (next > at)
            end = put_record(end, types[i], at, (size_t)(next - at), end == file, false);
        at = zero ? zero + 1 : stop;
    }
    end = put_record(end, at < stop ? "scidac-binary-data" : "ildg-binary-data", links, sizeof links, end == file,
                     true);
    const bool taken = fuzz_links(FORMAT_ILDG, file, (size_t)(end - file));
    free(file);
    return taken;
}
