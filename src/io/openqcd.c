/* openqcd.c - the format in which openQCD exports configurations (its program export_cnfg).
 *
 * 24 bytes: the extents N0 (t), N1 (x), N2 (y), N3 (z) as 32-bit integers, and the mean of Re Tr U_p of all plaquettes
 * (3 on unit links) as a double; then the links, in double precision, all in little endian.  The file stores the odd
 * sites n in the order ((t N1 + x) N2 + y) N3 + z, each with eight matrices [row][col][re,im]; e_mu is the unit vector:
 *
 *     U_0(n), U_0(n - e_0), U_1(n), U_1(n - e_1), ..., U_3(n), U_3(n - e_3),   directions 0 = t, 1 = x, 2 = y, 3 = z
 *
 * There is no checksum: damage can only show in the plaquette and the unitarity of the links.  Half of the links in
 * direction t of a time slice are stored with the sites of the next one, so that reading a slice needs both. */
#include "src/io/links_formats.h"

#include "src/base/memory.h"
#include "src/base/text.h"

#include <math.h>
#include <string.h>

enum { PLAQUETTE_AT = 16, HEADER_BYTES = 24, SITE_MATRICES = 8, MATRIX_BYTES = LINKS_MATRIX_REALS * 8 };
#define PLAQUETTE_OF_ONE 3.0
static const links_layout file_layout = { .bits = 64, .big_endian = false, .rows = 3 };

/* Direction mu of the file in Kiln's numbering. */
static const int direction[4] = { 3, 0, 1, 2 };

/* ---- header */

static void read_header(long long found[4], double *plaquette, const unsigned char header[HEADER_BYTES])
{
    for (int mu = 0; mu < 4; mu++)
        found[direction[mu]] = (int32_t)word_decode(header + 4 * mu, false);
    reals_decode(plaquette, header + PLAQUETTE_AT, 1, 64, false);
}

bool openqcd_begins(const unsigned char *first, size_t n)
{
    long long found[4];
    double plaquette;
    if (n < HEADER_BYTES)
        return false;
    read_header(found, &plaquette, first);
    for (int mu = 0; mu < 4; mu++)
        if (found[mu] < 1 || found[mu] > LINKS_LARGEST_EXTENT)
            return false;
    return fabs(plaquette) <= PLAQUETTE_OF_ONE * (1 + 1e-6);
}

bool openqcd_read(const links_source *s, links_info *info, links_block *block, failure *f)
{
    unsigned char header[HEADER_BYTES];
    long long found[4];
    if (!links_source_read(s, 0, header, sizeof header, "header", f))
        return false;
    info->format = FORMAT_OPENQCD;
    info->bits = file_layout.bits;
    read_header(found, &info->plaquette, header);
    info->plaquette /= PLAQUETTE_OF_ONE;
    info->has_plaquette = true;
    *block = (links_block){ "links", HEADER_BYTES, file_layout, false };
    if (!links_extents_check(s, "header", found, info->extents, f)
        || !links_size_check(s, "links", s->size - HEADER_BYTES, info->extents, &file_layout, f))
        return false;
    for (int mu = 0; mu < 4; mu++)
        if (found[mu] % 2 != 0)
            return fail(f, "%s: header: extent %lld in direction %c; openQCD has even extents only", s->path, found[mu],
                        "xyzt"[mu]);
    return true;
}

/* ---- lines of odd sites */

/* The N3 / 2 odd sites with these t, x, y. */
typedef struct { const int *extents; int t, x, y; } site_line;

static size_t line_bytes(const int extents[4])
{
    return (size_t)extents[2] / 2 * SITE_MATRICES * MATRIX_BYTES;
}

static int first_z(const site_line *l)
{
    return (l->t + l->x + l->y + 1) % 2;
}

/* The index in a time slice of the link in direction `mu` (of the file) that ends at the site, or else begins there. */
static size_t link_at(const site_line *l, int z, int mu, bool ends)
{
    int at[3] = { l->x, l->y, z };
    const int *n = l->extents, nu = direction[mu];
    if (ends && nu < 3)
        at[nu] = (at[nu] + n[nu] - 1) % n[nu];
    const size_t site = ((size_t)at[2] * (size_t)n[1] + (size_t)at[1]) * (size_t)n[0] + (size_t)at[0];
    return site * LINKS_SITE_REALS + (size_t)nu * LINKS_MATRIX_REALS;
}

/* Decodes or encodes a matrix of the file: `link` is its index in `slice`. */
typedef void each_matrix(double *slice, size_t link, unsigned char *bytes);

static void decode_matrix(double *slice, size_t link, unsigned char *bytes)
{
    reals_decode(slice + link, bytes, LINKS_MATRIX_REALS, file_layout.bits, file_layout.big_endian);
}

static void encode_matrix(double *slice, size_t link, unsigned char *bytes)
{
    reals_encode(bytes, slice + link, LINKS_MATRIX_REALS, file_layout.bits, file_layout.big_endian);
}

/* All matrices of a line: those of its own time slice, and those that end there and belong to the slice before.  Either
 * slice may be NULL. */
static void visit_line(double *own, double *before, unsigned char *bytes, const site_line *l, each_matrix *visit)
{
    for (int z = first_z(l); z < l->extents[2]; z += 2)
        for (int mu = 0; mu < 4; mu++)
            for (int ends = 0; ends < 2; ends++, bytes += MATRIX_BYTES) {
                double *slice = mu == 0 && ends ? before : own;
                if (slice)
                    visit(slice, link_at(l, z, mu, ends), bytes);
            }
}

/* ---- slices */

/* Read the sites of the file in time slice t. */
static bool read_sites(double *own, double *before, const links_source *s, const int extents[4], int t,
                       unsigned char *bytes, failure *f)
{
    const size_t n = line_bytes(extents);
    uint64_t at = HEADER_BYTES + (uint64_t)t * (uint64_t)extents[0] * (uint64_t)extents[1] * n;
    for (int x = 0; x < extents[0]; x++)
        for (int y = 0; y < extents[1]; y++, at += n) {
            if (!links_source_read(s, at, bytes, n, "links", f))
                return false;
            visit_line(own, before, bytes, &(site_line){ extents, t, x, y }, decode_matrix);
        }
    return true;
}

bool openqcd_read_slice(double *slice, const links_source *s, const int extents[4], int t, failure *f)
{
    unsigned char *bytes = memory_alloc(line_bytes(extents), "bytes of a file");
    const bool ok = read_sites(slice, NULL, s, extents, t, bytes, f)
                    && read_sites(NULL, slice, s, extents, (t + 1) % extents[3], bytes, f);
    memory_free(bytes);
    return ok;
}

static bool write_sites(double *own, double *before, const links_target *target, int t, unsigned char *bytes,
                        failure *f)
{
    const int *extents = target->info->extents;
    const size_t n = line_bytes(extents);
    for (int x = 0; x < extents[0]; x++)
        for (int y = 0; y < extents[1]; y++) {
            visit_line(own, before, bytes, &(site_line){ extents, t, x, y }, encode_matrix);
            if (!links_put_stream(target, NULL, bytes, n, f))
                return false;
        }
    return true;
}

static bool get_slice(double *slice, const links_target *target, int t, failure *f)
{
    target->links->get(slice, target->links->from, t);
    return reals_are_finite(slice, links_slice_reals(target->info->extents))
           || fail(f, "%s: non-finite link in double precision", target->path);
}

static bool write_links(const links_target *target, failure *f)
{
    const int *extents = target->info->extents;
    double *own = slice_alloc(links_slice_reals(extents)), *before = slice_alloc(links_slice_reals(extents));
    unsigned char *bytes = memory_alloc(line_bytes(extents), "bytes of a file");
    bool ok = get_slice(before, target, extents[3] - 1, f);
    for (int t = 0; ok && t < extents[3]; t++) {
        ok = get_slice(own, target, t, f) && write_sites(own, before, target, t, bytes, f);
        double *next = before;
        before = own;
        own = next;
    }
    memory_free(bytes);
    memory_free(before);
    memory_free(own);
    return ok;
}

bool openqcd_write(const links_target *target, failure *f)
{
    unsigned char header[HEADER_BYTES];
    links_info *info = target->info;
    const double plaquette = PLAQUETTE_OF_ONE * info->plaquette;
    info->has_checksum = false;
    info->checksum[0] = '\0';
    if (!info->has_plaquette)
        return fail(f, "%s: the format openqcd needs the plaquette in its header", target->path);
    for (int mu = 0; mu < 4; mu++) {
        if (info->extents[mu] % 2 != 0)
            return fail(f, "%s: the format openqcd has even extents only, but the lattice is %s", target->path,
                        extents_to_text(info->extents).s);
        word_encode(header + 4 * mu, (uint32_t)info->extents[direction[mu]], false);
    }
    reals_encode(header + PLAQUETTE_AT, &plaquette, 1, 64, false);
    return links_put_stream(target, NULL, header, sizeof header, f) && write_links(target, f);
}
