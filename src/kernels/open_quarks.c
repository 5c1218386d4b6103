/* open_quarks.c - quark fields and clover terms at the ends of a lattice with open boundaries in time (open_args.h). */
#define ONE_LANE
#include "src/kernels/open_args.h"
#include "src/kernels/time_slices.h"
#include "src/site/block_exponential.h"
#include "src/site/site.h"

SITE_FN bool is_at_end(const lattice_view *l, site x)
{
    const int t = slice_of_site(l, x.at[0]);
    return t == 0 || t == l->global[3] - 1;
}

SITE_MAP(open_vector, open_vector_args, a, x)
{
    color_vector zero;
    for (int i = 0; i < 3; i++)
        zero.c[i] = cplx_zero();
    if (is_at_end(&a->l, x))
        store_vector(&a->v, x, zero);
}

SITE_MAP(open_clover, open_clover_args, a, x)
{
    const int t = slice_of_site(&a->l, x.at[0]), last = a->l.global[3] - 1;
    const bool end = is_at_end(&a->l, x);
    if (!end && t != 1 && t != last - 1)
        return;
    for (int chirality = 0; chirality < 2; chirality++) {
        clover_block b = load_clover_block(&a->blocks, x, chirality);
        if (end)
            b = clover_block_scale(spread(0), b);
        else
            for (int i = 0; i < 6; i++)
                b.d[i] = b.d[i] + spread((scalar)a->beside);
        store_clover_block(&a->blocks, x, chirality, b);
    }
}
