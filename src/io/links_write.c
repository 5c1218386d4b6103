/* links_write.c - links into a file of any format: written beside, read again, compared bit by bit, then named. */
#include "src/io/links_file.h"
#include "src/io/links_target.h"
#include "src/io/run_state.h"
#include "src/io/safe_file.h"

#include "src/base/memory.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK_SITES = 1024, REALS_PER_SITE = 72 };

static const struct { links_writer *write; bool holds_64, holds_two_rows; } formats[] = {
    [FORMAT_ILDG] = { lime_links_write, true, false },
    [FORMAT_SCIDAC] = { lime_links_write, true, false },
    [FORMAT_NERSC] = { nersc_write, true, true },
    [FORMAT_MILC] = { milc_write, false, false },
};

bool links_can_be_written(links_format format, int bits, int rows, const char *path, failure *f)
{
    const char *name = links_format_name(format);
    if (bits != 32 && bits != 64)
        return fail(f, "%s: a precision of %d bits; there are 32 and 64", path, bits);
    if (bits == 64 && !formats[format].holds_64)
        return fail(f, "%s: the format %s holds single precision only, and these are links of 64 bits: rounding them "
                    "to 32 has to be asked for (--precision 32)", path, name);
    if (rows != 3 && !(rows == 2 && formats[format].holds_two_rows))
        return fail(f, "%s: the format %s has no links of %d rows", path, name, rows);
    return true;
}

bool links_put_stream(void *to, const void *bytes, size_t n)
{
    return fwrite(bytes, 1, n, to) == n;
}

bool links_encode(const links_target *t, const links_layout *layout, site_sum *add, void *sum, links_put *put,
                  void *to)
{
    size_t sites = links_count(t->info->extents) / REALS_PER_SITE, site_bytes = links_site_bytes(layout);
    size_t link_bytes = site_bytes / 4, row_reals = 6 * (size_t)layout->rows;
    unsigned char *bytes = memory_alloc(CHUNK_SITES * site_bytes, "bytes of a file");
    bool ok = true;
    for (size_t first = 0; ok && first < sites; first += CHUNK_SITES) {
        size_t n = sites - first < CHUNK_SITES ? sites - first : CHUNK_SITES;
        for (size_t link = 0; link < 4 * n; link++)
            reals_encode(bytes + link * link_bytes, t->links + (4 * first + link) * 18, row_reals, layout->bits,
                         layout->big_endian);
        for (size_t i = 0; i < n; i++)
            add(sum, first + i, bytes + i * site_bytes, site_bytes, layout);
        ok = !put || put(to, bytes, n * site_bytes);
    }
    memory_free(bytes);
    return ok;
}

static void cksum_site(void *sum, uint64_t rank, const unsigned char *site, size_t bytes, const links_layout *layout)
{
    (void)rank, (void)layout;
    posix_cksum_add(sum, site, bytes);
}

uint32_t links_ildg_cksum(const double *links, const links_info *info)
{
    links_info own = *info;
    const links_layout layout = { .bits = info->bits, .big_endian = true, .rows = 3 };
    posix_cksum sum;
    posix_cksum_begin(&sum);
    links_encode(&(links_target){ .links = links, .info = &own }, &layout, cksum_site, &sum, NULL, NULL);
    return posix_cksum_end(&sum);
}

void links_as_stored(double stored[72], const double site[72], const links_layout *layout)
{
    for (int i = 0; i < REALS_PER_SITE; i++)
        stored[i] = layout->bits == 32 ? (double)(float)site[i] : site[i];
    for (int mu = 0; layout->rows == 2 && mu < 4; mu++)
        complete_third_row(stored + 18 * mu);
}

static bool all_finite_as_stored(const double *links, const links_info *info, const char *path, failure *f)
{
    for (size_t i = 0; i < links_count(info->extents); i++)
        if (!isfinite(info->bits == 32 ? (double)(float)links[i] : links[i]))
            return fail(f, "%s: a link is not finite in %s precision", path, precision_name(info->bits));
    return true;
}

static bool same_state(const links_info *a, const links_info *b)
{
    text ta = { 0 }, tb = { 0 };
    if (a->has_state)
        run_state_to_text(&a->state, &ta);
    if (b->has_state)
        run_state_to_text(&b->state, &tb);
    bool same = strcmp(text_string(&ta), text_string(&tb)) == 0;
    text_free(&ta);
    text_free(&tb);
    return same;
}

/* The system is asked to forget its copy of the file, so that the disk answers when it is read again. */
static void forget_cached(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    close(descriptor);
}

/* Read the temporary file and compare every bit with what was to be written. */
static bool verify(const char *path, const char *temporary, const double *links, const links_info *info,
                   double *largest_change, failure *f)
{
    const links_layout layout = { .bits = info->bits, .rows = info->rows };
    links_info found;
    double change = 0;
    forget_cached(temporary);
    double *again = links_read(temporary, &found, f);
    if (!again)
        return false;
    bool keeps_state = info->format == FORMAT_ILDG || info->format == FORMAT_SCIDAC;
    bool ok = found.format == info->format && found.bits == info->bits && found.rows == info->rows
              && memcmp(found.extents, info->extents, sizeof found.extents) == 0
              && strcmp(found.checksum, info->checksum) == 0 && (!keeps_state || same_state(&found, info));
    for (size_t i = 0; ok && i < links_count(info->extents); i += REALS_PER_SITE) {
        double wanted[REALS_PER_SITE];
        links_as_stored(wanted, links + i, &layout);
        ok = memcmp(again + i, wanted, sizeof wanted) == 0;
        for (int k = 0; k < REALS_PER_SITE; k++)
            change = fmax(change, fabs(wanted[k] - links[i + (size_t)k]));
    }
    memory_free(again);
    if (largest_change)
        *largest_change = change;
    return ok || fail(f, "%s: what was written reads back differently; the disk or the memory is faulty", path);
}

bool links_write(const char *path, const double *links, links_info *info, bool replace, double *largest_change,
                 failure *f)
{
    if (!links_can_be_written(info->format, info->bits, info->rows, path, f)
        || !all_finite_as_stored(links, info, path, f))
        return false;
    safe_file *s = safe_file_create(path, replace, f);
    if (!s)
        return false;
    const links_target target = { path, safe_file_stream(s), links, info };
    if (formats[info->format].write(&target, f) && safe_file_flush(s, f)
        && verify(path, safe_file_temporary(s), links, info, largest_change, f))
        return safe_file_commit(s, f);
    safe_file_abandon(s);
    return false;
}

bool links_write_ildg(const char *path, const double *links, links_info *info, bool replace, failure *f)
{
    info->format = FORMAT_ILDG;
    info->rows = 3;
    return links_write(path, links, info, replace, NULL, f);
}
