/* links_file.c - which format a file has, and who reads it. */
#include "src/io/links_file.h"

#include "src/base/memory.h"
#include "src/io/links_source.h"

#include <string.h>

const char *links_format_name(links_format format)
{
    static const char *const names[] = {
        [FORMAT_ILDG] = "ildg", [FORMAT_SCIDAC] = "scidac", [FORMAT_NERSC] = "nersc", [FORMAT_MILC] = "milc",
    };
    return names[format];
}

/* A format shows itself in the first bytes of the file.  MILC's magic number stands in either byte order. */
static const struct { const char *first; size_t n; links_reader *read; } readers[] = {
    { "\x45\x67\x89\xab", 4, lime_links_read },
    { "BEGIN_HEADER", 12, nersc_read },
    { "\0\0\x4e\x87", 4, milc_read },
    { "\x87\x4e\0\0", 4, milc_read },
};
enum { READERS = sizeof readers / sizeof *readers, LONGEST_START = 12 };

static links_reader *find_reader(const links_source *s, failure *f)
{
    unsigned char first[LONGEST_START];
    size_t n = s->size < sizeof first ? (size_t)s->size : sizeof first;
    if (!links_source_read(s, 0, first, n, "first bytes", f))
        return NULL;
    for (int i = 0; i < READERS; i++)
        if (n >= readers[i].n && memcmp(first, readers[i].first, readers[i].n) == 0)
            return readers[i].read;
    if (n >= 4 && memcmp(first, "\xab\x89\x67\x45", 4) == 0)
        fail(f, "%s: begins with the mark of LIME (ILDG, SciDAC), but its bytes swapped: the format is big endian on "
             "every machine; swap the bytes back", s->path);
    else if (n < 4)
        fail(f, "%s: %zu bytes are no configuration", s->path, n);
    else
        fail(f, "%s: begins with %02x %02x %02x %02x: neither LIME (ILDG, SciDAC) nor NERSC archive nor MILC v5",
             s->path, first[0], first[1], first[2], first[3]);
    return NULL;
}

static bool read_file(const char *path, links_info *info, double **links, failure *f)
{
    links_source s;
    *info = (links_info){ .rows = 3 };
    if (!links_source_open(&s, path, f))
        return false;
    links_reader *read = find_reader(&s, f);
    bool ok = read && read(&s, info, links, f);
    links_source_close(&s);
    return ok;
}

double *links_read(const char *path, links_info *info, failure *f)
{
    double *links = NULL;
    return read_file(path, info, &links, f) ? links : NULL;
}

bool links_read_info(const char *path, links_info *info, failure *f)
{
    return read_file(path, info, NULL, f);
}
