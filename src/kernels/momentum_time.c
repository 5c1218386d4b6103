/* momentum_time.c - P_t <- a P_t for the links in t only: for gradient flow on anisotropic lattices. */
#include "src/kernels/args.h"
#include "src/site/load.h"
#include "src/site/site.h"

SITE_MAP(momentum_scale_links_in_t, momentum_args, a, x)
{
    algebra p = load_algebra(&a->y, x, 3);
    for (int i = 0; i < ALGEBRA_REALS; i++)
        p.c[i] = p.c[i] * (scalar)a->a;
    store_algebra(&a->y, x, 3, p);
}
