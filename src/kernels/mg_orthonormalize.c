/* mg_orthonormalize.c - an orthonormal basis in each aggregate and chirality, P^+ P = 1, in panels of vectors
 * (mg_args.h). */
#define OVER_SLABS
#include "src/kernels/mg_tile.h"

#define LEAST_PIVOT ((scalar)1e-5)             /* of |V|^2: a smaller one is a rounding error */

SITE_FN int product_at(int vectors, int chirality, int v, int j)
{
    return 2 * ((chirality * vectors + v) * MG_TILE + j);
}

SITE_MAP(mg_panel_products, mg_panel_products_args, a, part)
{
    const int chirality = part.before % 2, v = a->row + part.before / 2 * MG_TILE;
    const site x = in_first_slab(part);
    const int vectors = a->basis[0].vectors;
    const place_of o = find(x, product_at(vectors, 2, 0, 0));
    const tile_sites over = { NULL, NULL, -1 };
    const tile sum = aggregate_products(a->basis, v, a->basis, a->panel, chirality, over, x);
    UNROLL_LOOP
    for (int i = 0; i < MG_TILE; i++)
        UNROLL_LOOP
        for (int j = 0; j < MG_TILE; j++) {
            const int at = product_at(vectors, chirality, v + i, j);
            store_real(a->products, &o, at, sum.e[i][j].re);
            store_real(a->products, &o, at + 1, sum.e[i][j].im);
        }
}

/* What a thread works on: a row of an aggregate and a spin. */
typedef struct { const mg_panel_args *a; int row, spin; place_of products, basis; } panel_part;

SITE_FN panel_part part_of(const mg_panel_args *a, site part)
{
    const site x = in_first_slab(part);
    panel_part p;
    p.a = a;
    p.row = part.before / SPINS;
    p.spin = part.before % SPINS;
    p.products = find(x, product_at(a->basis.vectors, 2, 0, 0));
    p.basis = find_blocked(&a->basis, x);
    return p;
}

SITE_FN cplx load_product(const panel_part *p, int v, int j)
{
    const int at = product_at(p->a->basis.vectors, p->spin / 2, v, j);
    cplx z;
    z.re = load_real(p->a->products, &p->products, at);
    z.im = load_real(p->a->products, &p->products, at + 1);
    return z;
}

SITE_FN color_vector load_panel(const panel_part *p, int v)
{
    return load_blocked(&p->a->basis, &p->basis, p->row, v, p->spin);
}

SITE_FN void store_panel(const panel_part *p, int v, color_vector b)
{
    store_blocked(&p->a->basis, &p->basis, p->row, v, p->spin, b);
}

/* a - b z */
SITE_FN color_vector minus_multiple(color_vector a, color_vector b, cplx z)
{
    z.re = -z.re;
    z.im = -z.im;
    UNROLL_LOOP
    for (int k = 0; k < 3; k++)
        a.c[k] = cplx_mad(z, b.c[k], a.c[k]);
    return a;
}

SITE_MAP(mg_panel_project, mg_panel_args, a, part)
{
    const panel_part p = part_of(a, part);
    color_vector b[MG_TILE];
    UNROLL_LOOP
    for (int j = 0; j < MG_TILE; j++)
        b[j] = load_panel(&p, a->panel + j);
    KEEP_LOOP
    for (int v = 0; v < a->panel; v++) {
        const color_vector u = load_panel(&p, v);
        UNROLL_LOOP
        for (int j = 0; j < MG_TILE; j++)
            b[j] = minus_multiple(b[j], u, load_product(&p, v, j));
    }
    UNROLL_LOOP
    for (int j = 0; j < MG_TILE; j++)
        store_panel(&p, a->panel + j, b[j]);
}

/* b - a^* c */
SITE_FN cplx minus_conj_product(cplx b, cplx a, cplx c)
{
    a.re = -a.re;
    a.im = -a.im;
    return cplx_conj_mad(a, c, b);
}

/* Products G = R^+ R with triangular R, column by column: V <- V R^-1 in the same order. */
SITE_MAP(mg_panel_orthonormalize, mg_panel_args, a, part)
{
    const panel_part p = part_of(a, part);
    color_vector b[MG_TILE];
    cplx r[MG_TILE][MG_TILE];
    real inverse[MG_TILE];
    UNROLL_LOOP
    for (int j = 0; j < MG_TILE; j++) {
        const real size2 = load_product(&p, a->panel + j, j).re, least = spread(LEAST_PIVOT) * size2;
        real pivot = size2;
        b[j] = load_panel(&p, a->panel + j);
        UNROLL_LOOP
        for (int i = 0; i < j; i++) {
            cplx g = load_product(&p, a->panel + i, j);
            UNROLL_LOOP
            for (int k = 0; k < i; k++)
                g = minus_conj_product(g, r[k][i], r[k][j]);
            r[i][j].re = inverse[i] * g.re;
            r[i][j].im = inverse[i] * g.im;
            pivot = mad_minus(r[i][j].re, r[i][j].re, mad_minus(r[i][j].im, r[i][j].im, pivot));
            b[j] = minus_multiple(b[j], b[i], r[i][j]);
        }
        inverse[j] = spread(1) / square_root(choose(is_above(pivot, least), pivot, least));
        UNROLL_LOOP
        for (int k = 0; k < 3; k++) {
            b[j].c[k].re = inverse[j] * b[j].c[k].re;
            b[j].c[k].im = inverse[j] * b[j].c[k].im;
        }
        store_panel(&p, a->panel + j, b[j]);
    }
}
