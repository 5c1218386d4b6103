/* regions.c - interior and boundary as ranges: z runs faster than t in the order of sites (site/view.h). */
#include "src/lattice/regions.h"

#include <string.h>

enum { X, Y, Z, T };

bool hop_regions_of(hop_regions *r, const lattice_shape *shape, int parity, int reach)
{
    const int *n = shape->local, slice = n[X] / 2 * n[Y], time_slice = slice * n[Z];
    const int first = (int)(parity * lattice_padded_half(shape));
    const int in_z = shape->grid[Z] > 1 ? reach : 0, in_t = shape->grid[T] > 1 ? reach : 0;
    const int inner_z = n[Z] - 2 * in_z, inner_t = n[T] - 2 * in_t;
    memset(r, 0, sizeof *r);
    if (shape->grid[X] > 1 || shape->grid[Y] > 1 || in_z + in_t == 0 || inner_z <= 0 || inner_t <= 0)
        return false;
    const site_range inner = { .first = first + in_t * time_slice + in_z * slice, .sites = inner_z * slice,
                               .parts = inner_t, .step = time_slice };
    r->interior = inner;
    if (in_z == 0) {                                         /* whole time slices */
        r->interior.sites *= inner_t;
        r->interior.parts = 1;
    }
    if (in_t > 0)
        r->boundary[r->boundaries++] = (site_range){ .first = first, .sites = in_t * time_slice, .parts = 2,
                                                     .step = (n[T] - in_t) * time_slice };
    if (in_z > 0) {
        site_range end = inner;
        end.sites = in_z * slice;
        end.first = first + in_t * time_slice;
        r->boundary[r->boundaries++] = end;
        end.first += (n[Z] - in_z) * slice;
        r->boundary[r->boundaries++] = end;
    }
    return true;
}
