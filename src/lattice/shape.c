/* shape.c - shapes of lattices: blocks of ranks, checks, and numbers of sites. */
#include "src/lattice/shape.h"

#include "src/base/text.h"
#include "src/site/view.h"

lattice_shape lattice_shape_single(const int extents[4])
{
    lattice_shape shape = { .ghosts = 0 };
    for (int mu = 0; mu < 4; mu++) {
        shape.global[mu] = shape.local[mu] = extents[mu];
        shape.grid[mu] = 1;
    }
    return shape;
}

lattice_shape lattice_shape_of_rank(const int extents[4], const int grid[4], int rank, int ghosts)
{
    lattice_shape shape = { .ghosts = 0 };
    for (int mu = 0; mu < 4; mu++) {
        shape.global[mu] = extents[mu];
        shape.grid[mu] = grid[mu];
        shape.local[mu] = extents[mu] / grid[mu];
        shape.origin[mu] = rank % grid[mu] * shape.local[mu];
        rank /= grid[mu];
        if (grid[mu] > 1)
            shape.ghosts = ghosts;
    }
    return shape;
}

int shape_ranks(const lattice_shape *shape)
{
    return shape->grid[0] * shape->grid[1] * shape->grid[2] * shape->grid[3];
}

int shape_neighbor(const lattice_shape *shape, const int step[4])
{
    int rank = 0;
    for (int mu = 3; mu >= 0; mu--) {
        const int here = shape->origin[mu] / shape->local[mu], count = shape->grid[mu];
        rank = rank * count + ((here + step[mu]) % count + count) % count;
    }
    return rank;
}

bool lattice_shape_is_possible(const lattice_shape *shape, failure *f)
{
    double volume = 1;                                       /* double: unchecked extents could overflow an integer */
    for (int mu = 0; mu < 4; mu++) {
        if (shape->global[mu] < 2 || shape->global[mu] % 2)
            return fail(f, "lattice %s: every extent must be even and at least 2", extents_to_text(shape->global).s);
        if (shape->local[mu] < 2 || shape->local[mu] % 2 || shape->origin[mu] % 2
            || (int64_t)shape->local[mu] * shape->grid[mu] != shape->global[mu])
            return fail(f, "lattice %s on a grid of %s processes: every process must hold the same even extents",
                        extents_to_text(shape->global).s, extents_to_text(shape->grid).s);
        if (shape->grid[mu] > 1 && shape->local[mu] < shape->ghosts)
            return fail(f, "lattice %s on a grid of %s processes: every process must hold at least %d sites in a "
                           "direction that is split", extents_to_text(shape->global).s, extents_to_text(shape->grid).s,
                        shape->ghosts + shape->ghosts % 2);
        volume *= shape->local[mu];
    }
    if (volume > LATTICE_MAX_INDEX - 2 * SITE_TILE)
        return fail(f, "%s = %.0f sites per process: one process can handle at most %d; use more processes",
                    extents_to_text(shape->local).s, volume, LATTICE_MAX_INDEX - 2 * SITE_TILE);
    return true;
}

static int64_t product(const int extents[4])
{
    return (int64_t)extents[0] * extents[1] * extents[2] * extents[3];
}

int64_t lattice_global_sites(const lattice_shape *shape)
{
    return product(shape->global);
}

int64_t lattice_local_sites(const lattice_shape *shape)
{
    return product(shape->local);
}

int64_t lattice_half(const lattice_shape *shape)
{
    return lattice_local_sites(shape) / 2;
}

int64_t lattice_padded_half(const lattice_shape *shape)
{
    return (lattice_half(shape) + SITE_TILE - 1) / SITE_TILE * SITE_TILE;
}

int shape_smallest_in_space(const int extents[4])
{
    int smallest = extents[0];
    for (int mu = 1; mu < 3; mu++)
        smallest = extents[mu] < smallest ? extents[mu] : smallest;
    return smallest;
}
