/* spinor_density.c - out(x) <- out(x) + Re left(x)^+ right(x), summed over spin and color. */
#include "src/kernels/spinor_density_args.h"
#include "src/kernels/dwf_hops.h"

SITE_MAP(spinor_density, spinor_density_args, a, x)
{
    place_of o = find(x, 1);
    real sum = load_real(a->out, &o, 0);
    KEEP_LOOP
    for (int spin = 0; spin < a->spins; spin++)
        sum = sum + vector_dot(load_vector(&a->left, site_in_slab(&a->left, spin, x)),
                               load_vector(&a->right, site_in_slab(&a->right, spin, x))).re;
    store_real(a->out, &o, 0, sum);
}
