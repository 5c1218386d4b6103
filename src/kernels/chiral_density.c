/* chiral_density.c - out(x) <- out(x) + left_l(x)^+ P right_r(x) for all slices l and r and both chiralities P, summed
 * over spin and color (chiral_density_args.h). */
#include "src/kernels/chiral_density_args.h"
#include "src/site/site.h"
#include "src/site/spinor.h"

SITE_FN cplx chiral_product(const vector_view *left, int left_slab, const vector_view *right, int right_slab, site x)
{
    cplx sum = vector_dot(load_vector(left, site_in_slab(left, left_slab, x)),
                          load_vector(right, site_in_slab(right, right_slab, x)));
    const cplx other = vector_dot(load_vector(left, site_in_slab(left, left_slab + 1, x)),
                                  load_vector(right, site_in_slab(right, right_slab + 1, x)));
    sum.re = sum.re + other.re;
    sum.im = sum.im + other.im;
    return sum;
}

SITE_MAP(chiral_density, chiral_density_args, a, x)
{
    place_of o = find(x, a->reals);
    KEEP_LOOP
    for (int pair = 0; pair < a->left_slices * a->right_slices; pair++) {
        const int l = pair / a->right_slices, r = pair % a->right_slices;
        KEEP_LOOP
        for (int c = 0; c < CHIRALITIES; c++) {
            const int at = a->first + CHIRAL_REALS * pair + 2 * c, spin = SPINS / 2 * c;
            const cplx z = chiral_product(&a->left, SPINS * l + spin, &a->right, SPINS * r + spin, x);
            store_real(a->out, &o, at, load_real(a->out, &o, at) + z.re);
            store_real(a->out, &o, at + 1, load_real(a->out, &o, at + 1) + z.im);
        }
    }
}
