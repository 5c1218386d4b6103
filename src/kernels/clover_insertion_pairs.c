/* clover_insertion_pairs.c - insertions of pairs of spinors:  W_k = sum over spins of (pauli_k x) y^+. */
#include "src/kernels/clover_insertion.h"
#include "src/site/site.h"

SITE_FN half_spinor pauli_times(int k, half_spinor h)
{
    half_spinor out;
    for (int i = 0; i < 3; i++) {
        const cplx up = h.s[0].c[i], down = h.s[1].c[i];
        out.s[0].c[i].re = k == 0 ? down.re : k == 1 ? down.im : up.re;
        out.s[0].c[i].im = k == 0 ? down.im : k == 1 ? -down.re : up.im;
        out.s[1].c[i].re = k == 0 ? up.re : k == 1 ? -up.im : -down.re;
        out.s[1].c[i].im = k == 0 ? up.im : k == 1 ? up.re : -down.im;
    }
    return out;
}

SITE_FN su3 add_pair(const clover_insertion_pairs_args *a, int n, site x, int chirality, int k, su3 w)
{
    const half_spinor turned = pauli_times(k, load_chirality(&a->x[n], x, chirality)),
                      y = load_chirality(&a->y[n], x, chirality);
    for (int i = 0; i < 2; i++)
        w = outer_product((scalar)a->a[n], turned.s[i], y.s[i], w);
    return w;
}

/* k is a literal. */
SITE_FN void add_pairs(const clover_insertion_pairs_args *a, site x, int k)
{
    su3 upper = su3_zero(), lower = su3_zero();
    KEEP_LOOP
    for (int n = 0; n < a->count; n++) {
        upper = add_pair(a, n, x, 0, k, upper);
        lower = add_pair(a, n, x, 1, k, lower);
    }
    add_pauli_insertion(&a->out, x, k, upper, lower);
}

SITE_MAP(clover_insertion_pairs, clover_insertion_pairs_args, a, x)
{
    add_pairs(a, x, 0);
    add_pairs(a, x, 1);
    add_pairs(a, x, 2);
}
