/* fuzz_nersc.c - arbitrary bytes as a NERSC archive. */
#include "tests/fuzz/targets.h"

bool fuzz_nersc(const uint8_t *bytes, size_t n)
{
    return fuzz_links(FORMAT_NERSC, bytes, n);
}
