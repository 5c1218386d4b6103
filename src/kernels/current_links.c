/* current_links.c - links of the current in t: i times links in t, zero in space (src/operators/quark_current.h). */
#include "src/kernels/link_multiple.h"
#include "src/kernels/staggered_args.h"
#include "src/site/site.h"

SITE_MAP(current_links, current_links_args, a, x)
{
    const cplx i = { spread(0), spread(1) };
    KEEP_LOOP
    for (int mu = 0; mu < 3; mu++)
        store_link(&a->out, x, mu, su3_zero());
    store_link(&a->out, x, 3, su3_times_cplx(i, load_link(&a->in, x, 3)));
}
