/* links_check.c - are these SU(3) matrices, and which ones?
 *
 *     distance from SU(3) = max( |U^+ U - 1|_max , |det U - 1| ) */
#include "src/base/checksum.h"
#include "src/io/links_file.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum { REALS_PER_LINK = 18 };

size_t links_count(const int extents[4])
{
    size_t reals = 4 * REALS_PER_LINK;
    for (int mu = 0; mu < 4; mu++)
        reals *= (size_t)extents[mu];
    return reals;
}

/* Infinite if the link is not finite. */
static double distance_from_su3(const double *reals)
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
    for (int i = 0; i < REALS_PER_LINK; i++)
        if (!isfinite(reals[i]))
            return INFINITY;
    return distance;
}

double links_unitarity(const double *links, const int extents[4])
{
    double largest = 0;
    for (size_t i = 0; i < links_count(extents); i += REALS_PER_LINK)
        largest = fmax(largest, distance_from_su3(links + i));
    return largest;
}

bool links_check(const double *links, const int extents[4], double tolerance, const char *path, failure *f)
{
    const double *u = links;
    for (int t = 0; t < extents[3]; t++)
        for (int z = 0; z < extents[2]; z++)
            for (int y = 0; y < extents[1]; y++)
                for (int x = 0; x < extents[0]; x++)
                    for (int mu = 0; mu < 4; mu++, u += REALS_PER_LINK) {
                        double distance = distance_from_su3(u);
                        if (isinf(distance))
                            return fail(f, "%s: the link in direction %c at site (%d, %d, %d, %d) is not finite",
                                        path, "xyzt"[mu], x, y, z, t);
                        if (!(distance <= tolerance))
                            return fail(f, "%s: the link in direction %c at site (%d, %d, %d, %d) is %.3g away "
                                        "from SU(3); %.3g is allowed", path, "xyzt"[mu], x, y, z, t, distance,
                                        tolerance);
                    }
    return true;
}

uint64_t links_digest(const double *links, const int extents[4])
{
    return digest64(DIGEST64_START, links, links_count(extents) * sizeof *links);
}
