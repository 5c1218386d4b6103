/* defect_box.h - whether the link of a site crosses the defect (defect_args.h). */
#ifndef KILN_KERNELS_DEFECT_BOX_H
#define KILN_KERNELS_DEFECT_BOX_H

#include "src/kernels/defect_args.h"
#include "src/site/load.h"

/* For a site at this distance from the corner, which is at least minus the extent in each direction. */
SITE_FN bool distance_is_in_defect(const lattice_view *l, const defect_box *box, const int from_corner[4])
{
    bool inside = true;
    for (int nu = 0; nu < 4; nu++) {
        const int distance = (from_corner[nu] + l->global[nu]) % l->global[nu];
        inside = inside && distance < (nu == box->direction ? 1 : box->size);
    }
    return inside;
}

SITE_FN bool is_in_defect(const lattice_view *l, const defect_box *box, int x)
{
    int c[4];
    site_global_coordinates(l, x, c);
    for (int nu = 0; nu < 4; nu++)
        c[nu] -= box->corner[nu];
    return distance_is_in_defect(l, box, c);
}

#endif
