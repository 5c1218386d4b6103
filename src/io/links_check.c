/* links_check.c - check that links are SU(3) matrices, and identify them by a digest.
 *
 *     distance from SU(3) = max( |U^+ U - 1|_max , |det U - 1| ) */
#include "src/base/checksum.h"
#include "src/io/links_file.h"
#include "src/io/links_source.h"

#include <complex.h>
#include <math.h>
#include <string.h>

size_t links_count(const int extents[4])
{
    size_t reals = LINKS_SITE_REALS;
    for (int mu = 0; mu < 4; mu++)
        reals *= (size_t)extents[mu];
    return reals;
}

size_t links_slice_reals(const int extents[4])
{
    return links_count(extents) / (size_t)extents[3];
}

double link_distance_from_su3(const double reals[18])
{
    double complex u[3][3];
    memcpy(u, reals, sizeof u);
    double distance = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            double complex product = 0;
            for (int k = 0; k < 3; k++)
                product += conj(u[k][i]) * u[k][j];
            double off = cabs(product - (i == j));
            if (!(off <= distance))
                distance = off;
        }
    double complex det = u[0][0] * (u[1][1] * u[2][2] - u[1][2] * u[2][1])
                       - u[0][1] * (u[1][0] * u[2][2] - u[1][2] * u[2][0])
                       + u[0][2] * (u[1][0] * u[2][1] - u[1][1] * u[2][0]);
    distance = fmax(distance, cabs(det - 1));
    for (int i = 0; i < LINKS_MATRIX_REALS; i++)
        if (!isfinite(reals[i]))
            return INFINITY;
    return distance;
}

/* The index of the first link that is off SU(3) by more than `tolerance`; `count` if there is none. */
static size_t find_too_far(const double *slice, size_t count, double tolerance)
{
    size_t first = count;
#pragma omp parallel for reduction(min : first) if (count >= 4 * LINKS_PARALLEL_SITES)
    for (size_t link = 0; link < count; link++)
        if (link < first && !(link_distance_from_su3(slice + link * LINKS_MATRIX_REALS) <= tolerance))
            first = link;
    return first;
}

bool links_have_zero_ends(const double *slice, const int extents[4])
{
    const size_t links = links_slice_reals(extents) / LINKS_MATRIX_REALS;
    bool zero = true;
    for (size_t link = 3; link < links && zero; link += 4)
        for (size_t i = 0; i < LINKS_MATRIX_REALS && zero; i++)
            zero = slice[link * LINKS_MATRIX_REALS + i] == 0;
    return zero;
}

bool links_check(const double *slice, const int extents[4], int t, double tolerance, const char *path, failure *f)
{
    const size_t count = links_slice_reals(extents) / LINKS_MATRIX_REALS;
    const size_t found = find_too_far(slice, count, tolerance), site = found / 4;
    if (found == count)
        return true;
    const size_t nx = (size_t)extents[0], ny = (size_t)extents[1];
    const int x = (int)(site % nx), y = (int)(site / nx % ny), z = (int)(site / nx / ny);
    const double distance = link_distance_from_su3(slice + found * LINKS_MATRIX_REALS);
    if (isinf(distance))
        return fail(f, "%s: non-finite link in direction %c at site (%d, %d, %d, %d)", path, "xyzt"[found % 4],
                    x, y, z, t);
    if (t == extents[3] - 1 && links_have_zero_ends(slice, extents))
        return fail(f, "%s: all links in direction t of the last time slice are 0, as in files with open boundaries in "
                       "t: for such a file, use an input with boundary.time: open", path);
    return fail(f, "%s: the link in direction %c at site (%d, %d, %d, %d) is off SU(3) by %.3g; the tolerance is %.3g",
                path, "xyzt"[found % 4], x, y, z, t, distance, tolerance);
}

uint64_t links_digest(uint64_t digest, const double *slice, const int extents[4])
{
    return digest64(digest, slice, links_slice_reals(extents) * sizeof *slice);
}
