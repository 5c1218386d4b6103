/* spinor_density.c - out(x) <- out(x) + |in(x)|^2, summed over spin and colour. */
#include "src/kernels/spinor_density_args.h"
#include "src/kernels/dwf_hops.h"

SITE_MAP(spinor_density, spinor_density_args, a, x)
{
    place_of o = find(x, 1);
    real sum = load_real(a->out, &o, 0);
    KEEP_LOOP
    for (int spin = 0; spin < SPINS; spin++)
        sum = sum + vector_norm2(load_vector(&a->in, site_in_slab(&a->in, spin, x)));
    store_real(a->out, &o, 0, sum);
}
