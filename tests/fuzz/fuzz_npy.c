/* fuzz_npy.c - arbitrary bytes as an array of NumPy's, of two shapes. */
#include "tests/fuzz/targets.h"

#include "src/base/memory.h"
#include "src/io/npy.h"

#include <math.h>

static bool read_as(const char *path, int dimensions, const size_t *shape)
{
    failure f = { "" };
    double *data = npy_read(path, dimensions, shape, &f);
    size_t count = 1;
    for (int i = 0; i < dimensions; i++)
        count *= shape[i];
    for (size_t i = 0; data && i < count; i++)
        expect(isfinite(data[i]), "finite numbers");
    if (!data)
        expect_reason(f.why, path);
    const bool taken = data != NULL;
    memory_free(data);
    return taken;
}

bool fuzz_npy(const uint8_t *bytes, size_t n)
{
    static const size_t pair[] = { 2, 3 }, none[] = { 0 };
    const char *path = fuzz_file(bytes, n);
    const bool two = read_as(path, 2, pair), one = read_as(path, 1, none);
    return two || one;
}
