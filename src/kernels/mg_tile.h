/* mg_tile.h - products of three vectors of spinors with three others, at a time: each number that is loaded has three
 * products. */
#ifndef KILN_KERNELS_MG_TILE_H
#define KILN_KERNELS_MG_TILE_H

#include "src/kernels/mg_site.h"

typedef struct { cplx e[MG_TILE][MG_TILE]; } tile;

SITE_FN tile tile_zero(void)
{
    tile t;
    UNROLL_LOOP
    for (int i = 0; i < MG_TILE; i++)
        UNROLL_LOOP
        for (int j = 0; j < MG_TILE; j++)
            t.e[i][j] = cplx_zero();
    return t;
}

/* sum + a_(row + i)^+ b_(column + j) at a site, of one spin */
SITE_FN tile tile_products(const vector_view *a, int row, const vector_view *b, int column, int spin, site x, tile sum)
{
    color_vector right[MG_TILE];
    UNROLL_LOOP
    for (int j = 0; j < MG_TILE; j++)
        right[j] = load_vector(b, site_in_slab(b, SPINS * (column + j) + spin, x));
    UNROLL_LOOP
    for (int i = 0; i < MG_TILE; i++) {
        const color_vector left = load_vector(a, site_in_slab(a, SPINS * (row + i) + spin, x));
        UNROLL_LOOP
        for (int j = 0; j < MG_TILE; j++)
            UNROLL_LOOP
            for (int k = 0; k < 3; k++)
                sum.e[i][j] = cplx_conj_mad(left.c[k], right[j].c[k], sum.e[i][j]);
    }
    return sum;
}

/* The products of one chirality, summed over the sites of aggregates x; with direction >= 0 over those that this
 * direction leaves (mg_args.h). */
typedef struct { const aggregate_view *sites; const int *leaves; int direction; } tile_sites;

SITE_FN tile aggregate_products(const vector_view *a, int row, const vector_view *b, int column, int chirality,
                                tile_sites over, site x)
{
    tile sum = tile_zero();
    KEEP_LOOP
    for (int parity = 0; parity < 2; parity++) {
        const aggregate_view *sites = &over.sites[parity];
        KEEP_LOOP
        for (int i = 0; i < sites->rows; i++) {
            const site fine = site_follow(sites->fine + (size_t)i * sites->stride, x);
            if (over.direction >= 0 && !any_leaves(over.leaves, fine, over.direction))
                continue;
            UNROLL_LOOP
            for (int spin = 0; spin < 2; spin++)
                sum = tile_products(&a[parity], row, &b[parity], column, 2 * chirality + spin, fine, sum);
        }
    }
    return sum;
}

#endif
