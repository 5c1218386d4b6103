/* link_multiple.h - a 3x3 matrix times a complex number, such as the phase of a link. */
#ifndef KILN_KERNELS_LINK_MULTIPLE_H
#define KILN_KERNELS_LINK_MULTIPLE_H

#include "src/site/su3.h"

/* z m */
SITE_FN su3 su3_times_cplx(cplx z, su3 m)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m.e[i][j] = cplx_mad(z, m.e[i][j], cplx_zero());
    return m;
}

#endif
