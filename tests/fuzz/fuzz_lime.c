/* fuzz_lime.c - arbitrary bytes as a LIME file with links. */
#include "tests/fuzz/targets.h"

bool fuzz_lime(const uint8_t *bytes, size_t n)
{
    return fuzz_links(FORMAT_ILDG, bytes, n);
}
