/* mg_tile.h - inner products of MG_TILE vectors of spinors with MG_TILE others: each loaded number is used in MG_TILE
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

/* tile_products returns sum + a_(first + i)^+ b_(column + j), i, j < MG_TILE, for one row of an aggregate and one
 * spin. */
typedef struct { const blocked_view *a, *b; place_of at_a, at_b; int first, column; } tile_vectors;

SITE_FN tile tile_products(const tile_vectors *t, int row, int spin, tile sum)
{
    color_vector right[MG_TILE];
    UNROLL_LOOP
    for (int j = 0; j < MG_TILE; j++)
        right[j] = load_blocked(t->b, &t->at_b, row, t->column + j, spin);
    UNROLL_LOOP
    for (int i = 0; i < MG_TILE; i++) {
        const color_vector left = load_blocked(t->a, &t->at_a, row, t->first + i, spin);
        UNROLL_LOOP
        for (int j = 0; j < MG_TILE; j++)
            UNROLL_LOOP
            for (int k = 0; k < 3; k++)
                sum.e[i][j] = cplx_conj_mad(left.c[k], right[j].c[k], sum.e[i][j]);
    }
    return sum;
}

/* aggregate_products returns the products of one chirality, summed over the fine sites of both parities in the
 * aggregate of x; with direction >= 0 over the sites from which a hop in this direction leaves the aggregate
 * (mg_args.h). */
typedef struct { const aggregate_view *sites; const int *leaves; int direction; } tile_sites;

SITE_FN tile aggregate_products(const blocked_view *a, int first, const blocked_view *b, int column, int chirality,
                                tile_sites over, site x)
{
    tile sum = tile_zero();
    KEEP_LOOP
    for (int parity = 0; parity < 2; parity++) {
        const tile_vectors t = { &a[parity], &b[parity], find_blocked(&a[parity], x), find_blocked(&b[parity], x),
                                 first, column };
        KEEP_LOOP
        for (int row = 0; row < a[parity].rows; row++) {
            if (over.direction >= 0) {
                const aggregate_view *sites = &over.sites[parity];
                const site fine = site_follow(sites->fine + (size_t)row * sites->stride, x);
                if (!any_leaves(over.leaves, fine, over.direction))
                    continue;
            }
            UNROLL_LOOP
            for (int spin = 0; spin < 2; spin++)
                sum = tile_products(&t, row, 2 * chirality + spin, sum);
        }
    }
    return sum;
}

#endif
