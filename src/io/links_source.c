/* links_source.c - from the bytes of a file to links. */
#include "src/io/links_source.h"

#include "src/base/memory.h"
#include "src/base/text.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum { CHUNK_SITES = 1024, REALS_PER_ROW = 6, REALS_PER_SITE = 72 };

bool links_source_open(links_source *s, const char *path, failure *f)
{
    struct stat status;
    *s = (links_source){ .path = path, .file = fopen(path, "rb") };
    if (!s->file)
        return fail(f, "%s: cannot be opened: %s", path, strerror(errno));
    if (fstat(fileno(s->file), &status) == 0 && S_ISREG(status.st_mode)) {
        s->size = (uint64_t)status.st_size;
        return true;
    }
    links_source_close(s);
    return fail(f, "%s: is not an ordinary file", path);
}

void links_source_close(links_source *s)
{
    fclose(s->file);
    s->file = NULL;
}

bool links_source_read(const links_source *s, uint64_t offset, void *bytes, size_t n, const char *what, failure *f)
{
    if (offset > s->size || n > s->size - offset)
        return fail(f, "%s: %s: truncated: %zu bytes from byte %llu on are needed, but the file ends at %llu",
                    s->path, what, n, (unsigned long long)offset, (unsigned long long)s->size);
    errno = 0;
    if (fseeko(s->file, (off_t)offset, SEEK_SET) == 0 && fread(bytes, 1, n, s->file) == n)
        return true;
    return fail(f, "%s: %s: cannot be read: %s", s->path, what, errno ? strerror(errno) : "the file has shrunk");
}

const char *precision_name(int bits)
{
    return bits == 32 ? "single" : "double";
}

size_t links_site_bytes(const links_layout *layout)
{
    return (size_t)(4 * layout->rows * REALS_PER_ROW * layout->bits / 8);
}

bool links_extents_check(const links_source *s, const char *what, const long long found[4], int extents[4],
                         failure *f)
{
    for (int mu = 0; mu < 4; mu++) {
        if (found[mu] < 1 || found[mu] > LINKS_LARGEST_EXTENT)
            return fail(f, "%s: %s: extent %lld in direction %c; 1 to %d are believed", s->path, what, found[mu],
                        "xyzt"[mu], LINKS_LARGEST_EXTENT);
        extents[mu] = (int)found[mu];
    }
    return true;
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

static uint64_t bits_decode(const unsigned char *bytes, int n, bool big_endian)
{
    uint64_t value = 0;
    for (int i = 0; i < n; i++)
        value = value << 8 | bytes[big_endian ? i : n - 1 - i];
    return value;
}

static void bits_encode(unsigned char *bytes, uint64_t value, int n, bool big_endian)
{
    for (int i = 0; i < n; i++, value >>= 8)
        bytes[big_endian ? n - 1 - i : i] = (unsigned char)(value & 0xff);
}

uint32_t word_decode(const unsigned char bytes[4], bool big_endian)
{
    return (uint32_t)bits_decode(bytes, 4, big_endian);
}

void word_encode(unsigned char bytes[4], uint32_t word, bool big_endian)
{
    bits_encode(bytes, word, 4, big_endian);
}

void reals_decode(double *reals, const unsigned char *bytes, size_t n, int bits, bool big_endian)
{
    for (size_t i = 0; i < n; i++) {
        if (bits == 32) {
            uint32_t word = word_decode(bytes + 4 * i, big_endian);
            float single;
            memcpy(&single, &word, sizeof single);
            reals[i] = single;
        } else {
            uint64_t word = bits_decode(bytes + 8 * i, 8, big_endian);
            memcpy(&reals[i], &word, sizeof word);
        }
    }
}

void reals_encode(unsigned char *bytes, const double *reals, size_t n, int bits, bool big_endian)
{
    for (size_t i = 0; i < n; i++) {
        if (bits == 32) {
            float single = (float)reals[i];
            uint32_t word;
            memcpy(&word, &single, sizeof word);
            word_encode(bytes + 4 * i, word, big_endian);
        } else {
            uint64_t word;
            memcpy(&word, &reals[i], sizeof word);
            bits_encode(bytes + 8 * i, word, 8, big_endian);
        }
    }
}

void complete_third_row(double u[18])
{
    const double *a = u, *b = u + REALS_PER_ROW;
    double *c = u + 2 * REALS_PER_ROW;
    for (int i = 0; i < 3; i++) {
        int j = 2 * ((i + 1) % 3), k = 2 * ((i + 2) % 3);
        c[2 * i]     = a[j] * b[k] - a[j + 1] * b[k + 1] - (a[k] * b[j] - a[k + 1] * b[j + 1]);
        c[2 * i + 1] = -(a[j] * b[k + 1] + a[j + 1] * b[k] - (a[k] * b[j + 1] + a[k + 1] * b[j]));
    }
}

static bool all_finite(const double *reals, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(reals[i]))
            return false;
    return true;
}

/* The four links of a site from its bytes; false if one is not finite. */
static bool decode_site(double site[REALS_PER_SITE], const unsigned char *bytes, const links_layout *layout)
{
    size_t reals = (size_t)layout->rows * REALS_PER_ROW;
    for (int mu = 0; mu < 4; mu++) {
        double *u = site + 18 * mu;
        reals_decode(u, bytes + (size_t)mu * reals * (size_t)layout->bits / 8, reals, layout->bits,
                     layout->big_endian);
        if (layout->rows == 2)
            complete_third_row(u);
    }
    return all_finite(site, REALS_PER_SITE);
}

static bool fail_not_finite(const links_source *s, const char *what, uint64_t rank, const double *site,
                            const int extents[4], failure *f)
{
    int at[4], mu = 0;
    for (int nu = 0; nu < 4; nu++, rank /= (uint64_t)extents[nu - 1])
        at[nu] = (int)(rank % (uint64_t)extents[nu]);
    while (mu < 3 && all_finite(site + 18 * mu, 18))
        mu++;
    return fail(f, "%s: %s: the link in direction %c at site (%d, %d, %d, %d) is not finite", s->path, what,
                "xyzt"[mu], at[0], at[1], at[2], at[3]);
}

/* The two rows that every file has are orthonormal; loosely, as only another byte order is to be told from this one. */
static bool rows_are_orthonormal(const double *u)
{
    const double allowed = 0.01, *a = u, *b = u + REALS_PER_ROW;
    double aa = 0, bb = 0, re = 0, im = 0;
    for (int i = 0; i < REALS_PER_ROW; i += 2) {
        aa += a[i] * a[i] + a[i + 1] * a[i + 1];
        bb += b[i] * b[i] + b[i + 1] * b[i + 1];
        re += a[i] * b[i] + a[i + 1] * b[i + 1];
        im += a[i] * b[i + 1] - a[i + 1] * b[i];
    }
    return fabs(aa - 1) < allowed && fabs(bb - 1) < allowed && fabs(re) < allowed && fabs(im) < allowed;
}

/* Whether the first link is one of SU(3) in this byte order. */
static bool is_link(const unsigned char *bytes, const links_layout *layout, bool big_endian)
{
    double rows[2 * REALS_PER_ROW];
    reals_decode(rows, bytes, sizeof rows / sizeof *rows, layout->bits, big_endian);
    return rows_are_orthonormal(rows);
}

/* Numbers in the other byte order are mostly finite, and no links: it is better told at once. */
static bool check_byte_order(const links_source *s, const char *what, const unsigned char *bytes,
                             const links_layout *layout, failure *f)
{
    static const char *const names[] = { "little endian", "big endian" };
    if (is_link(bytes, layout, layout->big_endian) || !is_link(bytes, layout, !layout->big_endian))
        return true;
    return fail(f, "%s: %s: the numbers are %s, but by its format or header the file has them %s: the first link is in "
                   "SU(3) only in the other byte order; swap the bytes of the numbers, or mend the header", s->path,
                what, names[!layout->big_endian], names[layout->big_endian]);
}

double *links_source_links(const links_source *s, const char *what, uint64_t offset, const int extents[4],
                           const links_layout *layout, site_sum *add, void *sum, failure *f)
{
    uint64_t sites = count_sites(extents);
    size_t site_bytes = links_site_bytes(layout);
    size_t chunk = sites < CHUNK_SITES ? (size_t)sites : CHUNK_SITES;
    unsigned char *bytes = memory_alloc(chunk * site_bytes, "bytes of a file");
    double *links = memory_alloc(links_count(extents) * sizeof *links, s->path);

    bool ok = true;
    for (uint64_t first = 0; ok && first < sites; first += chunk) {
        size_t n = sites - first < chunk ? (size_t)(sites - first) : chunk;
        ok = links_source_read(s, offset + first * site_bytes, bytes, n * site_bytes, what, f)
             && (first > 0 || check_byte_order(s, what, bytes, layout, f));
        for (size_t i = 0; ok && i < n; i++) {
            double *site = links + (first + i) * REALS_PER_SITE;
            add(sum, first + i, bytes + i * site_bytes, site_bytes, layout);
            if (!decode_site(site, bytes + i * site_bytes, layout))
                ok = fail_not_finite(s, what, first + i, site, extents, f);
        }
    }
    memory_free(bytes);
    if (ok)
        return links;
    memory_free(links);
    return NULL;
}
