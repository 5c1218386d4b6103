/* target_tools.c - what the targets share: files in memory, and what readers owe. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE      /* memfd_create */
#endif
#include "tests/fuzz/targets.h"

#include "src/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void expect(bool condition, const char *sentence)
{
    if (condition)
        return;
    fprintf(stderr, "expected: %s\n", sentence);
    abort();
}

void expect_reason(const char *why, const char *name)
{
    expect(strncmp(why, name, strlen(name)) == 0 && strlen(why) > strlen(name) + 2,
           "a reason that begins with the name of the file");
    expect(strlen(why) < sizeof((failure *)0)->why, "a reason with an end");
}

const char *fuzz_file(const uint8_t *bytes, size_t n)
{
    static int descriptor = -1;
    static char path[64];
    if (descriptor < 0) {
        descriptor = memfd_create("fuzz", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    }
    expect(descriptor >= 0 && ftruncate(descriptor, 0) == 0 && pwrite(descriptor, bytes, n, 0) == (ssize_t)n,
           "a file in memory");
    return path;
}

char *fuzz_text(const uint8_t *bytes, size_t n)
{
    return strndup(n ? (const char *)bytes : "", n);
}

static void expect_metadata(const links_info *info)
{
    for (int mu = 0; mu < 4; mu++)
        expect(info->extents[mu] >= 1 && info->extents[mu] <= LINKS_LARGEST_EXTENT, "extents that are believed");
    expect(info->bits == 32 || info->bits == 64, "32 or 64 bits");
    expect(!info->has_plaquette || isfinite(info->plaquette), "a finite plaquette");
    expect(!info->has_link_trace || isfinite(info->link_trace), "a finite link trace");
}

/* Whether all slices are read. */
static bool read_slices(links_file *file, const links_info *info, failure *f)
{
    const size_t reals = links_slice_reals(info->extents);
    double *slice = slice_alloc(reals);
    bool taken = true;
    for (int t = 0; taken && t < info->extents[3]; t++) {
        taken = links_file_next_slice(file, slice, f);
        for (size_t i = 0; taken && i < reals; i++)
            expect(isfinite(slice[i]), "finite links");
    }
    memory_free(slice);
    return taken;
}

bool fuzz_links(links_format format, const uint8_t *bytes, size_t n)
{
    failure f = { .why = "" };
    links_info info;
    links_source s = { FUZZ_NAME, n > 0 ? fmemopen((void *)bytes, n, "rb") : NULL, n };
    if (!s.file)
        return false;
    if (links_format_of(&s, &f) != &links_formats[format]) {
        links_source_close(&s);
        return false;
    }
    links_file *file = links_file_of_stream(FUZZ_NAME, s.file, n, &info, &f);
    if (file)
        expect_metadata(&info);
    const bool taken = file && read_slices(file, &info, &f);
    if (!taken)
        expect_reason(f.why, FUZZ_NAME);
    links_file_close(file);
    return taken;
}
