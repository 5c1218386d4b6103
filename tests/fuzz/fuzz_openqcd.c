/* fuzz_openqcd.c - arbitrary bytes as a configuration of openQCD. */
#include "tests/fuzz/targets.h"

bool fuzz_openqcd(const uint8_t *bytes, size_t n)
{
    return fuzz_links(FORMAT_OPENQCD, bytes, n);
}
