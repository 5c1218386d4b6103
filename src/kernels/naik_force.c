/* naik_force.c - the chain rule of long links.
 *
 * N(x) = A B C with A = U(x), B = U(x+mu), C = U(x+2mu) and h of N:  A has h (BC)^+,  B has A^+ h C^+,  C has (AB)^+ h.
 * The link at x is A of N(x), B of N(x-mu), C of N(x-2mu). */
#include "src/kernels/staggered_args.h"
#include "src/site/site.h"

SITE_MAP(naik_force, naik_force_args, a, x)
{
    KEEP_LOOP
    for (int mu = 0; mu < 4; mu++) {
        site up = site_up(&a->l, x, mu), up2 = site_up(&a->l, up, mu);
        site down = site_down(&a->l, x, mu), down2 = site_down(&a->l, down, mu);
        su3 u_up = load_link(&a->u, up, mu), u_down = load_link(&a->u, down, mu);
        su3 sum = su3_mul_dag(load_link(&a->h3, x, mu), su3_mul(u_up, load_link(&a->u, up2, mu)));
        sum = su3_add(sum, su3_dag_mul(u_down, su3_mul_dag(load_link(&a->h3, down, mu), u_up)));
        sum = su3_add(sum, su3_dag_mul(su3_mul(load_link(&a->u, down2, mu), u_down), load_link(&a->h3, down2, mu)));
        store_link(&a->thin_h, x, mu, su3_add(load_link(&a->thin_h, x, mu), sum));
    }
}
