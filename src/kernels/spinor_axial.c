/* spinor_axial.c - out(x) <- out(x) + Re left(x)^+ gamma_t right(x), summed over spin and color; spins = SPINS. */
#include "src/kernels/spinor_density_args.h"
#include "src/kernels/dwf_hops.h"

/* gamma_t exchanges the chiralities: left_s^+ right_(s+2) and left_(s+2)^+ right_s. */
SITE_MAP(spinor_axial, spinor_density_args, a, x)
{
    place_of o = find(x, 1);
    real sum = load_real(a->out, &o, 0);
    KEEP_LOOP
    for (int spin = 0; spin < SPINS; spin++) {
        const int other = (spin + SPINS / 2) % SPINS;
        sum = sum + vector_dot(load_vector(&a->left, site_in_slab(&a->left, spin, x)),
                               load_vector(&a->right, site_in_slab(&a->right, other, x))).re;
    }
    store_real(a->out, &o, 0, sum);
}
