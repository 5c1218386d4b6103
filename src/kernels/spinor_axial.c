/* spinor_axial.c - out(x) <- out(x) + in(x)^+ gamma_t in(x), summed over spin and colour. */
#include "src/kernels/spinor_density_args.h"
#include "src/kernels/dwf_hops.h"

/* gamma_t exchanges the chiralities, so each pair of spins counts twice: 2 Re in_s^+ in_(s+2). */
SITE_MAP(spinor_axial, spinor_density_args, a, x)
{
    place_of o = find(x, 1);
    real sum = load_real(a->out, &o, 0);
    KEEP_LOOP
    for (int spin = 0; spin < SPINS / 2; spin++) {
        const cplx product = vector_dot(load_vector(&a->in, site_in_slab(&a->in, spin, x)),
                                        load_vector(&a->in, site_in_slab(&a->in, spin + SPINS / 2, x)));
        sum = sum + (product.re + product.re);
    }
    store_real(a->out, &o, 0, sum);
}
