/* links_source.c - a file of known size, and the reals in it. */
#include "src/io/links_source.h"

#include "src/base/open_file.h"
#include "src/base/text.h"
#include "src/io/disk.h"

#include <errno.h>
#include <math.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers in memory are little endian");

bool links_source_open(links_source *s, const char *path, failure *f)
{
    *s = (links_source){ .path = path, .file = disk_open(path) };
    if (!s->file)
        return fail_system(f, errno, "%s: cannot be opened: %s", path, open_file_reason(errno));
    if (disk_size(&s->size, s->file))
        return true;
    links_source_close(s);
    return fail(f, "%s: is not a regular file", path);
}

void links_source_close(links_source *s)
{
    fclose(s->file);
    s->file = NULL;
}

bool links_source_read(const links_source *s, uint64_t offset, void *bytes, size_t n, const char *what, failure *f)
{
    if (offset > s->size || n > s->size - offset)
        return fail(f, "%s: %s: truncated: expected %zu bytes from byte %llu on, but the file ends at byte %llu",
                    s->path, what, n, (unsigned long long)offset, (unsigned long long)s->size);
    errno = 0;
    if (fseeko(s->file, (off_t)offset, SEEK_SET) == 0 && fread(bytes, 1, n, s->file) == n)
        return true;
    return fail_system(f, errno, "%s: %s: cannot be read: %s", s->path, what,
                       errno ? strerror(errno) : "the file has shrunk");
}

const char *precision_name(int bits)
{
    return bits == 32 ? "single" : "double";
}

size_t links_site_bytes(const links_layout *layout)
{
    return (size_t)(4 * layout->rows * LINKS_ROW_REALS * layout->bits / 8);
}

bool links_extents_check(const links_source *s, const char *what, const long long found[4], int extents[4],
                         failure *f)
{
    for (int mu = 0; mu < 4; mu++) {
        if (found[mu] < 1 || found[mu] > LINKS_LARGEST_EXTENT)
            return fail(f, "%s: %s: extent %lld in direction %c; allowed are 1 to %d", s->path, what, found[mu],
                        "xyzt"[mu], LINKS_LARGEST_EXTENT);
        extents[mu] = (int)found[mu];
    }
    return true;
}

size_t links_chunk_sites(const int extents[4])
{
    const size_t slice = (size_t)extents[0] * (size_t)extents[1] * (size_t)extents[2];
    return slice < LINKS_CHUNK_SITES ? slice : LINKS_CHUNK_SITES;
}

static uint64_t count_sites(const int extents[4])
{
    uint64_t sites = 1;
    for (int mu = 0; mu < 4; mu++)
        sites *= (uint64_t)extents[mu];
    return sites;
}

bool links_size_check(const links_source *s, const char *what, uint64_t bytes, const int extents[4],
                      const links_layout *layout, failure *f)
{
    uint64_t needed = count_sites(extents) * links_site_bytes(layout);
    if (bytes == needed)
        return true;
    return fail(f, "%s: %s: %llu bytes, but %s in %s precision%s needs %llu", s->path, what,
                (unsigned long long)bytes, extents_to_text(extents).s, precision_name(layout->bits),
                layout->rows == 2 ? " and two rows" : "", (unsigned long long)needed);
}

uint32_t word_decode(const unsigned char bytes[4], bool big_endian)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return big_endian ? __builtin_bswap32(word) : word;
}

void word_encode(unsigned char bytes[4], uint32_t word, bool big_endian)
{
    const uint32_t stored = big_endian ? __builtin_bswap32(word) : word;
    memcpy(bytes, &stored, sizeof stored);
}

static double double_decode(const unsigned char bytes[8], bool big_endian)
{
    uint64_t word;
    double real;
    memcpy(&word, bytes, sizeof word);
    word = big_endian ? __builtin_bswap64(word) : word;
    memcpy(&real, &word, sizeof real);
    return real;
}

static void double_encode(unsigned char bytes[8], double real, bool big_endian)
{
    uint64_t word;
    memcpy(&word, &real, sizeof word);
    word = big_endian ? __builtin_bswap64(word) : word;
    memcpy(bytes, &word, sizeof word);
}

static float float_decode(const unsigned char bytes[4], bool big_endian)
{
    const uint32_t word = word_decode(bytes, big_endian);
    float real;
    memcpy(&real, &word, sizeof real);
    return real;
}

static void float_encode(unsigned char bytes[4], float real, bool big_endian)
{
    uint32_t word;
    memcpy(&word, &real, sizeof word);
    word_encode(bytes, word, big_endian);
}

void reals_decode(double *reals, const unsigned char *bytes, size_t n, int bits, bool big_endian)
{
    for (size_t i = 0; i < n; i++)
        reals[i] = bits == 32 ? float_decode(bytes + 4 * i, big_endian) : double_decode(bytes + 8 * i, big_endian);
}

void reals_encode(unsigned char *bytes, const double *reals, size_t n, int bits, bool big_endian)
{
    for (size_t i = 0; i < n; i++) {
        if (bits == 32)
            float_encode(bytes + 4 * i, (float)reals[i], big_endian);
        else
            double_encode(bytes + 8 * i, reals[i], big_endian);
    }
}

void links_complete_third_row(double u[LINKS_MATRIX_REALS])
{
    const double *a = u, *b = u + LINKS_ROW_REALS;
    double *c = u + 2 * LINKS_ROW_REALS;
    for (int i = 0; i < 3; i++) {
        int j = 2 * ((i + 1) % 3), k = 2 * ((i + 2) % 3);
        c[2 * i]     = a[j] * b[k] - a[j + 1] * b[k + 1] - (a[k] * b[j] - a[k + 1] * b[j + 1]);
        c[2 * i + 1] = -(a[j] * b[k + 1] + a[j + 1] * b[k] - (a[k] * b[j + 1] + a[k + 1] * b[j]));
    }
}

void reals_round(double *reals, size_t n, int bits)
{
    for (size_t i = 0; bits == 32 && i < n; i++)
        reals[i] = (double)(float)reals[i];
}

bool reals_are_finite(const double *reals, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(reals[i]))
            return false;
    return true;
}

void links_decode_site(double site[LINKS_SITE_REALS], const unsigned char *bytes, const links_layout *layout)
{
    const size_t reals = (size_t)layout->rows * LINKS_ROW_REALS;
    for (int mu = 0; mu < 4; mu++) {
        double *u = site + LINKS_MATRIX_REALS * mu;
        reals_decode(u, bytes + (size_t)mu * reals * (size_t)layout->bits / 8, reals, layout->bits,
                     layout->big_endian);
        if (layout->rows == 2)
            links_complete_third_row(u);
    }
}
