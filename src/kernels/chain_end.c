/* chain_end.c - the force from h of the thin links: P <- P + weight F, F_mu(x) = [2 U_mu(x) h_mu(x)^+]_TA.
 *
 * dS = 2 Re Tr sum dU h^+ along dU = P U is 2 Re Tr sum P U h^+ = sum Re Tr P F = -sum Re Tr P^+F. */
#include "src/kernels/staggered_args.h"
#include "src/site/site.h"

SITE_SUM(chain_end, 1, 1, chain_end_args, a, x, s)
{
    s[0] = s[1] = spread(0);
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        algebra half = algebra_part(su3_mul_dag(load_link(&a->u, x, mu), load_link(&a->h, x, mu)));
        real norm2 = spread(4) * algebra_norm2(half);
        s[0] = s[0] + norm2;
        s[1] = larger_or_nan(norm2, s[1]);
        store_algebra(&a->p, x, mu, algebra_axpy((scalar)(2 * a->weight), half, load_algebra(&a->p, x, mu)));
    }
}
