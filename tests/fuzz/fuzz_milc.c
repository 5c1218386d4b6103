/* fuzz_milc.c - arbitrary bytes as a MILC file, in either byte order. */
#include "tests/fuzz/targets.h"

bool fuzz_milc(const uint8_t *bytes, size_t n)
{
    return fuzz_links(FORMAT_MILC, bytes, n);
}
