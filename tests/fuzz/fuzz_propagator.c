/* fuzz_propagator.c - arbitrary bytes as a file of propagators. */
#include "tests/fuzz/targets.h"

#include "src/io/propagator_file.h"

static void expect_info(const propagator_info *info)
{
    for (int mu = 0; mu < 4; mu++)
        expect(info->extents[mu] >= 1 && info->extents[mu] <= LINKS_LARGEST_EXTENT, "extents that are believed");
    expect(info->bits == 32 || info->bits == 64, "32 or 64 bits");
    expect(info->quarks > 0 && info->sources > 0, "quarks and sources");
}

bool fuzz_propagator(const uint8_t *bytes, size_t n)
{
    const char *path = fuzz_file(bytes, n);
    failure f = { .why = "" };
    propagator_info info;
    double number;
    const bool is_one = propagator_file_is_one(path);
    propagator_file *file = propagator_file_open(path, &info, &f);
    if (!file) {
        expect_reason(f.why, path);
        return false;
    }
    expect(is_one, "a propagator is known as one");
    expect_info(&info);
    propagator_description_number(&number, &info, "residual");
    if (!propagator_description_check(&info, "quark: wilson\nmass: 0.1\n", path, &f))
        expect_reason(f.why, path);
    const bool taken = propagator_file_check(file, &f);
    if (!taken)
        expect_reason(f.why, path);
    propagator_file_close(file);
    propagator_info_free(&info);
    return taken;
}
