/* links_file.c - read the links of a file of any format, a time slice at a time. */
#include "src/io/links_file.h"

#include "src/base/memory.h"
#include "src/io/links_formats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct links_file {
    links_source s;
    links_info info;
    links_block block;
    const links_checksum *checksum;
    links_sum sum;                 /* checksum of the slices read so far */
    int next;                      /* the time slice that is read next */
    unsigned char *bytes;          /* buffer for the bytes of links_chunk_sites(extents) sites */
};

static uint64_t slice_sites(const links_info *info)
{
    return links_slice_reals(info->extents) / LINKS_SITE_REALS;
}

static bool read_metadata(links_file *file, failure *f)
{
    const links_format_row *row = links_format_of(&file->s, f);
    file->info = (links_info){ .rows = 3 };
    if (!row || !row->read(&file->s, &file->info, &file->block, f))
        return false;
    file->checksum = links_formats[file->info.format].checksum;
    return true;
}

static bool fail_not_finite(const links_file *file, uint64_t rank, const double *site, failure *f)
{
    const int *n = file->info.extents;
    int at[4], mu = 0;
    for (int nu = 0; nu < 4; nu++, rank /= (uint64_t)n[nu - 1])
        at[nu] = (int)(rank % (uint64_t)n[nu]);
    while (mu < 3 && reals_are_finite(site + LINKS_MATRIX_REALS * mu, LINKS_MATRIX_REALS))
        mu++;
    return fail(f, "%s: %s: non-finite link in direction %c at site (%d, %d, %d, %d)", file->s.path,
                file->block.what, "xyzt"[mu], at[0], at[1], at[2], at[3]);
}

/* ---- byte order */

/* Whether the two rows that every file has are orthonormal.  The tolerance only has to distinguish the byte orders. */
static bool rows_are_orthonormal(const double *u)
{
    const double allowed = 0.01, *a = u, *b = u + LINKS_ROW_REALS;
    double aa = 0, bb = 0, re = 0, im = 0;
    for (int i = 0; i < LINKS_ROW_REALS; i += 2) {
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
    double rows[2 * LINKS_ROW_REALS];
    reals_decode(rows, bytes, sizeof rows / sizeof *rows, layout->bits, big_endian);
    return rows_are_orthonormal(rows);
}

/* Numbers read in the wrong byte order are mostly finite, but are not links.  So the first link shows the error. */
static bool check_byte_order(const links_file *file, failure *f)
{
    static const char *const names[] = { "little endian", "big endian" };
    const links_layout *layout = &file->block.layout;
    if (is_link(file->bytes, layout, layout->big_endian) || !is_link(file->bytes, layout, !layout->big_endian))
        return true;
    return fail(f, "%s: %s: the numbers seem to be %s (the first link is in SU(3) only in this byte order), but the "
                   "format or header says %s; swap the bytes of the numbers, or correct the header",
                file->s.path, file->block.what, names[!layout->big_endian], names[layout->big_endian]);
}

/* ---- slices */

/* Decodes sites first .. first + count - 1, whose bytes are in file->bytes, and adds them to the checksum.  False if a
 * number is not finite. */
static bool decode_record(links_file *file, double *sites, uint64_t first, size_t count, failure *f)
{
    const links_layout *layout = &file->block.layout;
    const size_t site_bytes = links_site_bytes(layout);
    size_t bad = count;
    links_sum_sites(&file->sum, file->checksum, first, file->bytes, count, layout);
#pragma omp parallel for reduction(min : bad) if (count >= LINKS_PARALLEL_SITES)
    for (size_t i = 0; i < count; i++) {
        double *site = sites + i * LINKS_SITE_REALS;
        links_decode_site(site, file->bytes + i * site_bytes, layout);
        if (!reals_are_finite(site, LINKS_SITE_REALS) && i < bad)
            bad = i;
    }
    return bad == count || fail_not_finite(file, first + bad, sites + bad * LINKS_SITE_REALS, f);
}

/* The words of a checksum with eight digits each. */
typedef struct { char s[48]; } checksum_text;

static checksum_text checksum_to_text(const char *sum)
{
    checksum_text words = { "" };
    size_t length = 0;
    while (*sum && length < sizeof words.s) {
        char *end;
        const unsigned long word = strtoul(sum, &end, 16);
        length += (size_t)snprintf(words.s + length, sizeof words.s - length, "%s%08lx", length ? " " : "", word);
        sum = end;
    }
    return words;
}

static bool check_sum(const links_file *file, failure *f)
{
    char found[sizeof file->info.checksum];
    if (!file->info.has_checksum)
        return true;
    file->checksum->print(found, &file->sum);
    return strcmp(found, file->info.checksum) == 0
           || fail(f, "%s: %s says %s, but the links give %s", file->s.path, file->checksum->place,
                   checksum_to_text(file->info.checksum).s, checksum_to_text(found).s);
}

/* The next slice of a file whose sites are in lexicographic order. */
static bool read_in_order(links_file *file, double *slice, failure *f)
{
    const uint64_t sites = slice_sites(&file->info), begin = (uint64_t)file->next * sites;
    const size_t site_bytes = links_site_bytes(&file->block.layout), chunk = links_chunk_sites(file->info.extents);
    for (uint64_t done = 0; done < sites; done += chunk) {
        const size_t count = sites - done < chunk ? (size_t)(sites - done) : chunk;
        if (!links_source_read(&file->s, file->block.offset + (begin + done) * site_bytes, file->bytes,
                               count * site_bytes, file->block.what, f)
            || (begin + done == 0 && !check_byte_order(file, f))
            || !decode_record(file, slice + done * LINKS_SITE_REALS, begin + done, count, f))
            return false;
    }
    return true;
}

/* The same for other formats. */
static bool read_by_format(links_file *file, double *slice, failure *f)
{
    const uint64_t sites = slice_sites(&file->info);
    if (!links_formats[file->info.format].read_slice(slice, &file->s, file->info.extents, file->next, f))
        return false;
    for (uint64_t i = 0; i < sites; i++)
        if (!reals_are_finite(slice + i * LINKS_SITE_REALS, LINKS_SITE_REALS))
            return fail_not_finite(file, (uint64_t)file->next * sites + i, slice + i * LINKS_SITE_REALS, f);
    return true;
}

bool links_file_next_slice(links_file *file, double *slice, failure *f)
{
    const bool in_order = !links_formats[file->info.format].read_slice;
    if (!(in_order ? read_in_order(file, slice, f) : read_by_format(file, slice, f)))
        return false;
    file->next++;
    return file->next < file->info.extents[3] || check_sum(file, f);
}

static void rewind_slices(links_file *file)
{
    file->next = 0;
    memset(&file->sum, 0, sizeof file->sum);
}

/* Whether all slices, and the checksum, are valid in one of the byte orders. */
static bool reads_as(links_file *file, bool big_endian, double *slice)
{
    bool ok = true;
    file->block.layout.big_endian = big_endian;
    for (int t = 0; ok && t < file->info.extents[3]; t++)
        ok = links_file_next_slice(file, slice, NULL);
    rewind_slices(file);
    return ok;
}

/* Chooses big endian, unless the links and the checksum are valid only in little endian. */
static void settle_byte_order(links_file *file)
{
    double *slice = slice_alloc(links_slice_reals(file->info.extents));
    file->block.layout.big_endian = reads_as(file, true, slice) || !reads_as(file, false, slice);
    memory_free(slice);
}

/* ---- opening */

links_file *links_file_of_stream(const char *path, FILE *stream, uint64_t size, links_info *info, failure *f)
{
    links_file *file = memory_alloc(sizeof *file, "a file of links");
    file->s = (links_source){ path, stream, size };
    const bool ok = read_metadata(file, f);
    *info = file->info;
    if (!ok) {
        links_file_close(file);
        return NULL;
    }
    file->bytes = memory_alloc(links_chunk_sites(info->extents) * links_site_bytes(&file->block.layout),
                               "bytes of a file");
    if (file->block.order_open)
        settle_byte_order(file);
    return file;
}

links_file *links_file_open(const char *path, links_info *info, failure *f)
{
    links_source s;
    *info = (links_info){ .rows = 3 };
    return links_source_open(&s, path, f) ? links_file_of_stream(path, s.file, s.size, info, f) : NULL;
}

void links_file_close(links_file *file)
{
    if (!file)
        return;
    links_source_close(&file->s);
    memory_free(file->bytes);
    memory_free(file);
}

bool links_read_info(const char *path, links_info *info, failure *f)
{
    links_file file = { .next = 0 };
    *info = (links_info){ .rows = 3 };
    if (!links_source_open(&file.s, path, f))
        return false;
    bool ok = read_metadata(&file, f);
    *info = file.info;
    links_source_close(&file.s);
    return ok;
}

bool links_file_is_recognized(const char *path)
{
    links_source s;
    if (!links_source_open(&s, path, NULL))
        return false;
    const bool recognized = links_format_of(&s, NULL) != NULL;
    links_source_close(&s);
    return recognized;
}
