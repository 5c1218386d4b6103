/* mg_orthonormalize.c - an orthonormal basis in each aggregate and chirality: P^+ P = 1. */
#define OVER_SLABS
#include "src/kernels/mg_args.h"
#include "src/kernels/neighbour_sum.h"

/* What a function works on: an aggregate, and the two spins of a chirality. */
typedef struct { const mg_orthonormalize_args *a; site x; int chirality; } aggregate_part;

#define EACH_SITE_AND_SPIN(p, parity, row, spin)                                                                       \
    KEEP_LOOP                                                                                                          \
    for (int parity = 0; parity < 2; parity++)                                                                         \
        KEEP_LOOP                                                                                                      \
        for (int row = 0; row < (p)->a->sites[parity].rows; row++)                                                     \
            KEEP_LOOP                                                                                                  \
            for (int spin = 2 * (p)->chirality; spin < 2 * (p)->chirality + 2; spin++)

SITE_FN site fine_site(const aggregate_part *p, int parity, int row)
{
    const aggregate_view *sites = &p->a->sites[parity];
    return site_follow(sites->fine + (size_t)row * sites->stride, p->x);
}

SITE_FN site of_vector(const vector_view *basis, int v, int spin, site fine)
{
    return site_in_slab(basis, SPINS * v + spin, fine);
}

/* v <- v - u <u, v> */
SITE_PART void make_orthogonal(const aggregate_part *p, int v, int u)
{
    cplx product = cplx_zero();
    EACH_SITE_AND_SPIN(p, parity, row, spin) {
        const site fine = fine_site(p, parity, row);
        const vector_view *basis = &p->a->basis[parity];
        const color_vector left = load_vector(basis, of_vector(basis, u, spin, fine)),
                           right = load_vector(basis, of_vector(basis, v, spin, fine));
        UNROLL_LOOP
        for (int k = 0; k < 3; k++)
            product = cplx_conj_mad(left.c[k], right.c[k], product);
    }
    product.re = -product.re;
    product.im = -product.im;
    EACH_SITE_AND_SPIN(p, parity, row, spin) {
        const site fine = fine_site(p, parity, row);
        const vector_view *basis = &p->a->basis[parity];
        const color_vector left = load_vector(basis, of_vector(basis, u, spin, fine));
        color_vector right = load_vector(basis, of_vector(basis, v, spin, fine));
        UNROLL_LOOP
        for (int k = 0; k < 3; k++)
            right.c[k] = cplx_mad(product, left.c[k], right.c[k]);
        store_vector(basis, of_vector(basis, v, spin, fine), right);
    }
}

SITE_PART void normalize(const aggregate_part *p, int v)
{
    real norm2 = spread(0);
    EACH_SITE_AND_SPIN(p, parity, row, spin) {
        const site fine = fine_site(p, parity, row);
        const vector_view *basis = &p->a->basis[parity];
        norm2 = norm2 + vector_norm2(load_vector(basis, of_vector(basis, v, spin, fine)));
    }
    const real factor = spread(1) / square_root(norm2);
    EACH_SITE_AND_SPIN(p, parity, row, spin) {
        const site fine = fine_site(p, parity, row);
        const vector_view *basis = &p->a->basis[parity];
        color_vector b = load_vector(basis, of_vector(basis, v, spin, fine));
        UNROLL_LOOP
        for (int k = 0; k < 3; k++) {
            b.c[k].re = factor * b.c[k].re;
            b.c[k].im = factor * b.c[k].im;
        }
        store_vector(basis, of_vector(basis, v, spin, fine), b);
    }
}

/* Each vector twice, because once loses digits where a vector is nearly a combination of the earlier ones. */
SITE_MAP(mg_orthonormalize, mg_orthonormalize_args, a, x)
{
    aggregate_part p = { a, x, x.before };             /* the part of the range */
    p.x.before = 0;
    KEEP_LOOP
    for (int v = 0; v < a->vectors; v++) {
        KEEP_LOOP
        for (int times = 0; times < 2; times++) {
            KEEP_LOOP
            for (int u = 0; u < v; u++)
                make_orthogonal(&p, v, u);
            normalize(&p, v);
        }
    }
}
