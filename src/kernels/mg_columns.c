/* mg_columns.c - columns of the matrices of the coarse operator of multigrid (mg_args.h). */
#define OVER_SLABS
#include "src/kernels/mg_tile.h"

SITE_FN void store_tile(const mg_columns_args *a, site x, int row, int column, tile sum)
{
    const int n = 2 * a->basis[0].vectors;
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
    const int vectors = a->basis[0].vectors, tiles = 2 * vectors / MG_TILE;
    const int row = MG_TILE * (part.before % tiles), column = MG_TILE * (part.before / tiles);
    const int chirality = row >= vectors, v = row - chirality * vectors;
    const site x = in_first_slab(part);
    const tile_sites over = { a->sites, a->leaves, a->direction };
    const tile sum = aggregate_products(a->basis, v, a->in, column, chirality, over, x);
    store_tile(a, x, row, a->first + column, sum);
}
