/* defect_box.h - whether the link of a site crosses the defect (defect_args.h). */
#ifndef KILN_KERNELS_DEFECT_BOX_H
#define KILN_KERNELS_DEFECT_BOX_H

#include "src/kernels/defect_args.h"
#include "src/site/load.h"

SITE_FN bool is_in_defect(const lattice_view *l, const defect_box *box, int x)
{
    int c[4];
    site_global_coordinates(l, x, c);
    bool inside = true;
    for (int nu = 0; nu < 4; nu++) {
        const int from_corner = (c[nu] - box->corner[nu] + l->global[nu]) % l->global[nu];
        inside = inside && from_corner < (nu == box->direction ? 1 : box->size);
    }
    return inside;
}

#endif
