/* links_write.c - write links to a file of any format: under a temporary name, read back, compared bit by bit, renamed.
 *
 * The source gives the links a time slice at a time, once for each pass: for a checksum that precedes them in the file,
 * for the file itself, for the comparison. */
#include "src/io/links_file.h"
#include "src/base/open_file.h"
#include "src/io/links_formats.h"
#include "src/io/run_state.h"
#include "src/io/safe_file.h"

#include "src/base/memory.h"
#include "src/comm/comm.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* ---- from slices to bytes */

bool links_put_stream(const links_target *t, void *with, const void *bytes, size_t n, failure *f)
{
    (void)with;
    errno = 0;
    return fwrite(bytes, 1, n, t->stream) == n
           || fail_system(f, errno, "%s: cannot be written: %s", t->path, errno ? strerror(errno) : "write error");
}

static bool is_finite_as_stored(const double *sites, size_t count, int bits)
{
    bool finite = true;
#pragma omp parallel for reduction(&& : finite) if (count >= LINKS_PARALLEL_SITES)
    for (size_t i = 0; i < count * LINKS_SITE_REALS; i++)
        finite = finite && isfinite(bits == 32 ? (double)(float)sites[i] : sites[i]);
    return finite;
}

static void encode_sites(unsigned char *bytes, const double *sites, size_t count, const links_layout *layout)
{
    const size_t link_bytes = links_site_bytes(layout) / 4, row_reals = LINKS_ROW_REALS * (size_t)layout->rows;
#pragma omp parallel for if (count >= LINKS_PARALLEL_SITES)
    for (size_t link = 0; link < 4 * count; link++)
        reals_encode(bytes + link * link_bytes, sites + link * LINKS_MATRIX_REALS, row_reals, layout->bits,
                     layout->big_endian);
}

bool links_encode(const links_target *t, const links_layout *layout, const links_sink *to, failure *f)
{
    const int *extents = t->info->extents;
    const size_t reals = links_slice_reals(extents), sites = reals / LINKS_SITE_REALS;
    const size_t chunk = links_chunk_sites(extents), site_bytes = links_site_bytes(layout);
    unsigned char *bytes = memory_alloc(chunk * site_bytes, "bytes of a file");
    double *slice = slice_alloc(reals);
    bool ok = true;
    for (int time = 0; ok && time < extents[3]; time++) {
        t->links->get(slice, t->links->from, time);
        for (size_t first = 0; ok && first < sites; first += chunk) {
            const size_t n = sites - first < chunk ? sites - first : chunk;
            const double *from = slice + first * LINKS_SITE_REALS;
            ok = is_finite_as_stored(from, n, layout->bits)
                 || fail(f, "%s: non-finite link in %s precision", t->path, precision_name(layout->bits));
            if (!ok)
                break;
            encode_sites(bytes, from, n, layout);
            if (to->checksum)
                links_sum_sites(to->sum, to->checksum, (uint64_t)time * sites + first, bytes, n, layout);
            ok = !to->put || to->put(t, to->with, bytes, n * site_bytes, f);
        }
    }
    memory_free(slice);
    memory_free(bytes);
    return ok;
}

/* ---- what was written */

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

/* Ask the system to drop its cached copy of the file, so that reading it back reads the disk. */
static void forget_cached(const char *path)
{
    int descriptor = comm_is_root(comm_world()) ? open_file(path, O_RDONLY) : -1;
    if (descriptor < 0)
        return;
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    close(descriptor);
}

/* The loop that rounds has the number of reals as an argument: with a constant number, GCC 12.2 does not round the last
 * two of 18 reals. */
static void store_link(double u[LINKS_MATRIX_REALS], const links_layout *layout)
{
    reals_round(u, LINKS_MATRIX_REALS, layout->bits);
    if (layout->rows == 2)
        links_complete_third_row(u);
}

void links_store(double *links, size_t count, const void *layout)
{
#pragma omp parallel for if (count >= LINKS_PARALLEL_SITES)
    for (size_t link = 0; link < 4 * count; link++)
        store_link(links + link * LINKS_MATRIX_REALS, layout);
}

/* Compare a slice of the file, bit by bit, with `wanted` as a file stores it; *change becomes at least the largest
 * change of a real by storing. */
static bool compare_slice(double *change, const double *there, const double *wanted, size_t reals,
                          const links_layout *layout)
{
    double largest = *change;
    bool same = true;
    const bool parallel = reals >= LINKS_PARALLEL_SITES * LINKS_SITE_REALS;
#pragma omp parallel for reduction(max : largest) reduction(&& : same) if (parallel)
    for (size_t i = 0; i < reals; i += LINKS_MATRIX_REALS) {
        double stored[LINKS_MATRIX_REALS];
        memcpy(stored, wanted + i, sizeof stored);
        store_link(stored, layout);
        same = same && memcmp(there + i, stored, sizeof stored) == 0;
        for (size_t k = 0; k < LINKS_MATRIX_REALS; k++)
            largest = fmax(largest, fabs(stored[k] - wanted[i + k]));
    }
    *change = largest;
    return same;
}

static bool same_metadata(const links_info *found, const links_info *info)
{
    const bool keeps_state = info->format == FORMAT_ILDG || info->format == FORMAT_SCIDAC;
    return found->format == info->format && found->bits == info->bits && found->rows == info->rows
           && memcmp(found->extents, info->extents, sizeof found->extents) == 0
           && strcmp(found->checksum, info->checksum) == 0 && (!keeps_state || same_state(found, info));
}

/* Compare all slices of the file with those of the source; `same` becomes false at a difference. */
static bool compare_slices(bool *same, double *change, links_file *file, const slice_source *links,
                           const links_info *info, failure *f)
{
    const links_layout layout = { .bits = info->bits, .rows = info->rows };
    const size_t reals = links_slice_reals(info->extents);
    double *there = slice_alloc(reals), *wanted = slice_alloc(reals);
    bool readable = true;
    for (int t = 0; readable && *same && t < info->extents[3]; t++) {
        readable = links_file_next_slice(file, there, f);
        links->get(wanted, links->from, t);
        *same = readable && compare_slice(change, there, wanted, reals, &layout);
    }
    memory_free(wanted);
    memory_free(there);
    return readable;
}

/* Read the temporary file and compare every bit with what was to be written. */
static bool verify_file(const char *path, const char *temporary, const slice_source *links, const links_info *info,
                   double *largest_change, failure *f)
{
    links_info found;
    double change = 0;
    forget_cached(temporary);
    links_file *file = links_file_open(temporary, &found, f);
    if (!file)
        return false;
    bool same = same_metadata(&found, info);
    const bool readable = compare_slices(&same, &change, file, links, info, f);
    links_file_close(file);
    if (largest_change)
        *largest_change = change;
    const bool ok = readable
                    && (same || fail(f, "%s: the file differs from what was written: suspect the disk or the memory",
                                     path));
    return comm_agree(comm_world(), ok, f);
}

bool links_write(const char *path, const slice_source *links, links_info *info, bool replace, double *largest_change,
                 failure *f)
{
    if (!links_can_be_written(info->format, info->bits, info->rows, path, f))
        return false;
    safe_file *s = safe_file_create(path, replace, f);
    if (!s)
        return false;
    const links_target target = { path, safe_file_stream(s), links, info };
    if (links_formats[info->format].write(&target, f) && safe_file_flush(s, f)
        && verify_file(path, safe_file_temporary(s), links, info, largest_change, f))
        return safe_file_commit(s, f);
    safe_file_abandon(s);
    safe_file_final_names(f);
    return false;
}

static bool put_cksum(const links_target *t, void *with, const void *bytes, size_t n, failure *f)
{
    (void)t, (void)f;
    posix_cksum_add(with, bytes, n);
    return true;
}

uint32_t links_ildg_cksum(const slice_source *links, const links_info *info)
{
    links_info own = *info;
    const links_layout layout = { .bits = info->bits, .big_endian = true, .rows = 3 };
    posix_cksum sum;
    const links_target target = { .path = "links", .links = links, .info = &own };
    posix_cksum_begin(&sum);
    links_encode(&target, &layout, &(links_sink){ .put = put_cksum, .with = &sum }, NULL);
    return posix_cksum_end(&sum);
}

size_t links_file_bytes(const int extents[4])
{
    const links_layout widest = { .bits = 64, .rows = 3 };
    return 2 * links_slice_reals(extents) * sizeof(double) + links_chunk_sites(extents) * links_site_bytes(&widest);
}
