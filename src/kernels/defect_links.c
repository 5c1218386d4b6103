/* defect_links.c - U_mu(x) <- c U_mu(x) on the links that cross the defect (defect_args.h). */
#define ONE_LANE
#include "src/kernels/defect_box.h"
#include "src/site/site.h"

SITE_MAP(scale_defect, defect_args, a, x)
{
    if (!is_in_defect(&a->g.l, &a->box, x.at[0]))
        return;
    su3 link = load_link(&a->g.u, x, a->box.direction);
    store_link(&a->g.u, x, a->box.direction, su3_axpy((scalar)a->factor, link, su3_zero()));
}
