/* spatial_hop.c - a step of Gaussian smearing of quarks on one parity (spatial_hop_args.h). */
#include "src/kernels/spatial_hop_args.h"
#include "src/site/site.h"
#include "src/site/spinor.h"

enum { SPACE = 3 };

/* sum + U in(y), or sum + U^+ in(y) */
SITE_FN spinor spinor_carried(su3 u, const vector_view *in, site y, spinor sum)
{
    UNROLL_LOOP
    for (int spin = 0; spin < SPINS; spin++)
        sum.s[spin] = su3_mul_vector(u, load_vector(in, site_in_slab(in, spin, y)), sum.s[spin]);
    return sum;
}

SITE_MAP(spatial_hop, spatial_hop_args, a, x)
{
    spinor sum = spinor_zero();
    KEEP_LOOP
    for (int mu = 0; mu < SPACE; mu++) {
        site up = site_up(&a->l, x, mu), down = site_down(&a->l, x, mu);
        sum = spinor_carried(load_link(&a->u, x, mu), &a->in, up, sum);
        sum = spinor_carried(su3_dagger(load_link(&a->u, down, mu)), &a->in, down, sum);
    }
    UNROLL_LOOP
    for (int spin = 0; spin < SPINS; spin++) {
        color_vector v = vector_scale((scalar)a->rest, load_vector(&a->here, site_in_slab(&a->here, spin, x)));
        store_vector(&a->out, site_in_slab(&a->out, spin, x), vector_axpy((scalar)a->share, sum.s[spin], v));
    }
}
