/* fuzz_milc.c - arbitrary bytes as a MILC file, in either byte order. */
#include "tests/fuzz/targets.h"

bool fuzz_milc(const uint8_t *bytes, size_t n)
{
    return fuzz_links(milc_read, "\0\0\x4e\x87", 4, bytes, n)
           || fuzz_links(milc_read, "\x87\x4e\0\0", 4, bytes, n);
}
