/* open_ends.c - links and momenta at the ends of a lattice with open boundaries in time (open_args.h). */
#define ONE_LANE
#include "src/kernels/open_args.h"
#include "src/kernels/time_slices.h"
#include "src/site/site.h"

SITE_MAP(open_links, gauge_args, a, x)
{
    if (slice_of_site(&a->l, x.at[0]) == a->l.global[3] - 1)
        store_link(&a->u, x, 3, su3_unit());
}

SITE_MAP(open_momentum, open_momentum_args, a, x)
{
    const int t = slice_of_site(&a->l, x.at[0]), last = a->l.global[3] - 1;
    if (t != 0 && t != last)
        return;
    for (int mu = 0; mu < 4; mu++) {
        const real factor = spread(mu < 3 ? (scalar)a->ends : t == last ? (scalar)0 : (scalar)1);
        algebra p = load_algebra(&a->p, x, mu);
        for (int i = 0; i < ALGEBRA_REALS; i++)
            p.c[i] = p.c[i] * factor;
        store_algebra(&a->p, x, mu, p);
    }
}
