/* mg_columns.c - columns of the matrices of the coarse operator of multigrid (mg_args.h). */
#define OVER_SLABS
#include "src/kernels/mg_tile.h"

SITE_FN void store_tile(const mg_columns_args *a, site x, int row, int column, tile sum)
{
    const int n = 2 * a->vectors;
    const place_of o = find(x, 2 * a->count * n * n);
    UNROLL_LOOP
    for (int i = 0; i < MG_TILE; i++)
        UNROLL_LOOP
        for (int j = 0; j < MG_TILE; j++) {
            const int at = 2 * ((a->matrix * n + row + i) * n + column + j);
            store_real(a->matrices, &o, at, sum.e[i][j].re);
            store_real(a->matrices, &o, at + 1, sum.e[i][j].im);
        }
}

SITE_MAP(mg_set_columns, mg_columns_args, a, part)
{
    const int tiles = 2 * a->vectors / MG_TILE;
    const int row = MG_TILE * (part.before % tiles), column = MG_TILE * (part.before / tiles);
    const int chirality = row >= a->vectors, v = row - chirality * a->vectors;
    const site x = in_first_slab(part);
    tile sum = tile_zero();
    KEEP_LOOP
    for (int parity = 0; parity < 2; parity++) {
        const aggregate_view *sites = &a->sites[parity];
        KEEP_LOOP
        for (int i = 0; i < sites->rows; i++) {
            const site fine = site_follow(sites->fine + (size_t)i * sites->stride, x);
            if (a->direction >= 0 && !any_leaves(a->leaves, fine, a->direction))
                continue;
            UNROLL_LOOP
            for (int spin = 0; spin < 2; spin++)
                sum = tile_products(&a->basis[parity], v, &a->in[parity], column, 2 * chirality + spin, fine, sum);
        }
    }
    store_tile(a, x, row, a->first + column, sum);
}
