/* fuzz_npy.c - arbitrary bytes as an array of NumPy's, of two shapes. */
#include "tests/fuzz/targets.h"

#include "src/io/npy.h"

#include <math.h>

static void expect_finite(void *to, int number, const double *slice)
{
    const size_t *reals = to;
    (void)number;
    for (size_t i = 0; i < *reals; i++)
        expect(isfinite(slice[i]), "finite numbers");
}

static bool read_as(const char *path, int dimensions, const size_t *shape, int slices, size_t reals)
{
    failure f = { .why = "" };
    const slice_sink sink = { expect_finite, &reals, slices, reals };
    const bool taken = npy_read_slices(&sink, path, dimensions, shape, &f);
    if (!taken)
        expect_reason(f.why, path);
    return taken;
}

bool fuzz_npy(const uint8_t *bytes, size_t n)
{
    static const size_t pair[] = { 2, 3 }, none[] = { 0 };
    const char *path = fuzz_file(bytes, n);
    const bool two = read_as(path, 2, pair, 2, 3), one = read_as(path, 1, none, 1, 0);
    return two || one;
}
