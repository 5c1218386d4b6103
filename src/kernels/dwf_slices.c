/* dwf_slices.c - copies slices of the fifth dimension, each with a factor. */
#include "src/kernels/dwf_hops.h"
#include "src/kernels/dwf_slices_args.h"

SITE_MAP(dwf_slices, dwf_slices_args, a, x)
{
    KEEP_LOOP
    for (int slab = 0; slab < SPINS * a->Ls; slab++) {
        const int s = slab / SPINS, spin = slab % SPINS, c = spin / 2;
        color_vector v = vector_zero();
        if (a->factor[c][s] != 0)
            v = vector_scale((scalar)a->factor[c][s],
                             load_vector(&a->in, site_in_slab(&a->in, SPINS * a->from[c][s] + spin, x)));
        store_vector(&a->out, site_in_slab(&a->out, slab, x), v);
    }
}
