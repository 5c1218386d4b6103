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

static void expect_links(const links_info *info, const double *links)
{
    for (int mu = 0; mu < 4; mu++)
        expect(info->extents[mu] >= 1 && info->extents[mu] <= LINKS_LARGEST_EXTENT, "extents that are believed");
    expect(info->bits == 32 || info->bits == 64, "32 or 64 bits");
    expect(!info->has_plaquette || isfinite(info->plaquette), "a finite plaquette");
    expect(!info->has_link_trace || isfinite(info->link_trace), "a finite link trace");
    for (size_t i = 0; links && i < links_count(info->extents); i++)
        expect(isfinite(links[i]), "finite links");
}

bool fuzz_links(links_reader *read, const char *first, size_t first_bytes, const uint8_t *bytes, size_t n)
{
    if (n < first_bytes || memcmp(bytes, first, first_bytes) != 0)
        return false;
    failure f = { "" };
    links_info info = { 0 };
    double *links = NULL;
    links_source s = { FUZZ_NAME, fmemopen((void *)bytes, n, "rb"), n };
    expect(s.file != NULL, "a file in memory");
    if (read(&s, &info, NULL, &f))
        expect_links(&info, NULL);
    else
        expect_reason(f.why, FUZZ_NAME);
    info = (links_info){ 0 };
    const bool taken = read(&s, &info, &links, &f);
    if (taken)
        expect_links(&info, links);
    else
        expect_reason(f.why, FUZZ_NAME);
    memory_free(links);
    links_source_close(&s);
    return taken;
}
