/* fuzz_main.c - what libFuzzer calls; compiled once a target, which the macro FUZZ_TARGET names. */
#include "tests/fuzz/targets.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    FUZZ_TARGET(bytes, n);
    return 0;
}
