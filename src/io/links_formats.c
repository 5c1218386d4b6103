/* links_formats.c - the formats that Kiln reads and writes, a row each. */
#include "src/io/links_formats.h"

#include "src/base/text.h"

#include <string.h>

const char *const links_format_names[LINKS_FORMATS + 1] = {
    [FORMAT_ILDG] = "ildg", [FORMAT_SCIDAC] = "scidac", [FORMAT_NERSC] = "nersc", [FORMAT_MILC] = "milc",
    [FORMAT_OPENQCD] = "openqcd",
};

/* The magic number of MILC may have either byte order. */
#define LIME_MAGIC { { "\x45\x67\x89\xab", 4 } }
#define NERSC_MAGIC { { "BEGIN_HEADER", 12 } }
#define MILC_MAGIC { { "\0\0\x4e\x87", 4 }, { "\x87\x4e\0\0", 4 } }

const links_format_row links_formats[LINKS_FORMATS] = {
    [FORMAT_ILDG] = { .title = "LIME (ILDG, SciDAC)", .magic = LIME_MAGIC, .read = lime_links_read,
                      .write = lime_links_write, .bits = 32 | 64, .rows = ROWS_3, .checksum = &lime_checksum },
    [FORMAT_SCIDAC] = { .magic = LIME_MAGIC, .read = lime_links_read, .write = lime_links_write,
                        .bits = 32 | 64, .rows = ROWS_3, .checksum = &lime_checksum },
    [FORMAT_NERSC] = { .title = "NERSC archive", .magic = NERSC_MAGIC, .read = nersc_read, .write = nersc_write,
                       .bits = 32 | 64, .rows = ROWS_2 | ROWS_3, .checksum = &nersc_checksum },
    [FORMAT_MILC] = { .title = "MILC v5", .magic = MILC_MAGIC, .read = milc_read, .write = milc_write,
                      .bits = 32, .rows = ROWS_3, .checksum = &milc_checksum },
    [FORMAT_OPENQCD] = { .title = "openQCD", .begins = openqcd_begins, .read = openqcd_read,
                         .read_slice = openqcd_read_slice, .write = openqcd_write, .bits = 64, .rows = ROWS_3 },
};
enum { LONGEST_BEGIN = 24 };

const char *links_format_name(links_format format)
{
    return links_format_names[format];
}

static bool begins_as(const links_format_row *row, const unsigned char *first, size_t n)
{
    if (row->begins)
        return row->begins(first, n);
    for (int i = 0; i < 2; i++) {
        const size_t count = row->magic[i].count;
        if (count > 0 && n >= count && memcmp(first, row->magic[i].bytes, count) == 0)
            return true;
    }
    return false;
}

static void refuse_first_bytes(const unsigned char first[4], const char *path, failure *f)
{
    text titles = { 0 };
    for (int i = 0; i < LINKS_FORMATS; i++)
        if (links_formats[i].title)
            text_add(&titles, "%s%s", titles.length ? " nor " : "", links_formats[i].title);
    fail(f, "%s: begins with %02x %02x %02x %02x: neither %s", path, first[0], first[1], first[2], first[3],
         text_string(&titles));
    text_free(&titles);
}

const links_format_row *links_format_of(const links_source *s, failure *f)
{
    unsigned char first[LONGEST_BEGIN];
    size_t n = s->size < sizeof first ? (size_t)s->size : sizeof first;
    if (!links_source_read(s, 0, first, n, "first bytes", f))
        return NULL;
    for (int i = 0; i < LINKS_FORMATS; i++)
        if (begins_as(&links_formats[i], first, n))
            return &links_formats[i];
    if (n >= 4 && memcmp(first, "\xab\x89\x67\x45", 4) == 0)
        fail(f, "%s: begins with the magic number of LIME (ILDG, SciDAC) in little endian: the format is always big "
                "endian; swap the bytes back", s->path);
    else if (n < 4)
        fail(f, "%s: a file of %zu bytes is no configuration", s->path, n);
    else
        refuse_first_bytes(first, s->path, f);
    return NULL;
}

bool links_can_be_written(links_format format, int bits, int rows, const char *path, failure *f)
{
    const char *name = links_format_name(format);
    if (bits != 32 && bits != 64)
        return fail(f, "%s: a precision of %d bits; allowed are 32 and 64", path, bits);
    if (!(links_formats[format].bits & bits))
        return fail(f, "%s: the format %s has %s precision only, but these links have %d bits; use --precision %d%s",
                    path, name, precision_name(96 - bits), bits, 96 - bits, bits == 64 ? " to round them" : "");
    if (rows < 2 || rows > 3 || !(links_formats[format].rows & 1 << rows))
        return fail(f, "%s: the format %s cannot store links with %d rows", path, name, rows);
    return true;
}

void links_sum_sites(links_sum *sum, const links_checksum *c, uint64_t first, const unsigned char *bytes, size_t count,
                     const links_layout *layout)
{
    const size_t site_bytes = links_site_bytes(layout);
#pragma omp parallel if (count >= LINKS_PARALLEL_SITES)
    {
        links_sum mine;
        memset(&mine, 0, sizeof mine);
#pragma omp for
        for (size_t i = 0; i < count; i++)
            c->add(&mine, first + i, bytes + i * site_bytes, site_bytes, layout);
#pragma omp critical
        c->merge(sum, &mine);
    }
}
