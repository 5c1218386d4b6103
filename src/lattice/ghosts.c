/* ghosts.c - boxes of ghosts: their order, their sites. */
#include "src/lattice/ghosts.h"

#include "src/site/view.h"

#include <stdlib.h>
#include <string.h>

/* The level of a box; GHOST_LEVELS if no kernel reads it. */
static ghost_level level_of(const int distance[4])
{
    int hops = 0, directions = 0;
    for (int mu = 0; mu < 4; mu++) {
        hops += abs(distance[mu]);
        directions += distance[mu] != 0;
    }
    if (directions == 0 || hops > GHOST_HOPS)
        return GHOST_LEVELS;
    return hops == 1 ? GHOSTS_NEAR : directions == 2 && hops == 2 ? GHOSTS_SIDES
         : directions == 1 && hops == GHOST_HOPS ? GHOSTS_STRAIGHT : GHOSTS_LOOPS;
}

bool ghost_is_read(const ghost_box *b, ghost_level level)
{
    int directions = 0;
    for (int mu = 0; mu < 4; mu++)
        directions += b->distance[mu] != 0;
    return b->level <= level && (level < GHOSTS_STRAIGHT || directions == 1);
}

static int extent(const lattice_shape *shape, const ghost_box *b, int mu)
{
    return b->distance[mu] ? 1 : shape->local[mu];
}

/* The direction along which consecutive sites of a box lie: the first one in which the box extends over the whole
 * block. */
static int fast_direction(const ghost_box *b)
{
    int mu = 0;
    while (b->distance[mu])
        mu++;
    return mu;
}

static int first_coordinate(const lattice_shape *shape, const ghost_box *b, int mu)
{
    const int d = b->distance[mu];
    return d > 0 ? shape->local[mu] + d - 1 : d;
}

static void add_box(ghost_boxes *all, const lattice_shape *shape, ghost_level level, const int distance[4])
{
    ghost_box *b = &all->box[all->count++];
    int64_t sites = 1;
    *b = (ghost_box){ .level = level };
    for (int mu = 0; mu < 4; mu++) {
        b->distance[mu] = distance[mu];
        b->owner[mu] = (distance[mu] > 0) - (distance[mu] < 0);
        sites *= extent(shape, b, mu);
    }
    b->sites = (int)(sites / 2);
    b->padded = (b->sites + SITE_TILE - 1) / SITE_TILE * SITE_TILE;
    b->at = all->sites[level];
    for (ghost_level of = level; of < GHOST_LEVELS; of++)
        all->sites[of] += b->padded;
}

/* The largest distance of a ghost in a direction. */
static int farthest(const lattice_shape *shape, int mu)
{
    return shape->grid[mu] == 1 ? 0 : shape->ghosts < GHOST_HOPS ? shape->ghosts : GHOST_HOPS;
}

/* The largest distance in direction mu, if `hops` hops go in other directions. */
static int farthest_after(const lattice_shape *shape, int mu, int hops)
{
    const int most = farthest(shape, mu), left = GHOST_HOPS - hops;
    return most < left ? most : left;
}

/* Adds the boxes of a level.  The loops skip distances that no kernel reads, because this function is called often. */
static void add_level(ghost_boxes *all, const lattice_shape *shape, ghost_level level)
{
    int d[4], most[4];
    most[3] = farthest(shape, 3);
    for (d[3] = -most[3]; d[3] <= most[3]; d[3]++) {
        most[2] = farthest_after(shape, 2, abs(d[3]));
        for (d[2] = -most[2]; d[2] <= most[2]; d[2]++) {
            most[1] = farthest_after(shape, 1, abs(d[3]) + abs(d[2]));
            for (d[1] = -most[1]; d[1] <= most[1]; d[1]++) {
                most[0] = farthest_after(shape, 0, abs(d[3]) + abs(d[2]) + abs(d[1]));
                for (d[0] = -most[0]; d[0] <= most[0]; d[0]++)
                    if (level_of(d) == level)
                        add_box(all, shape, level, d);
            }
        }
    }
}

ghost_boxes ghost_boxes_of(const lattice_shape *shape)
{
    ghost_boxes all = { .count = 0 };
    for (ghost_level level = GHOSTS_NEAR; level < GHOST_LEVELS; level++)
        add_level(&all, shape, level);
    return all;
}

int ghost_owner(const lattice_shape *shape, const ghost_box *b)
{
    return shape_neighbor(shape, b->owner);
}

int ghost_receiver(const lattice_shape *shape, const ghost_box *b)
{
    const int back[4] = { -b->owner[0], -b->owner[1], -b->owner[2], -b->owner[3] };
    return shape_neighbor(shape, back);
}

int ghost_sites(const lattice_shape *shape, ghost_level level)
{
    const ghost_boxes all = ghost_boxes_of(shape);
    return all.sites[level];
}

void ghost_coordinate(int c[4], const lattice_shape *shape, const ghost_box *b, int parity, int i)
{
    const int fast = fast_direction(b), half = shape->local[fast] / 2;
    int row = i / half, sum = 0;
    for (int mu = 0; mu < 4; mu++) {
        c[mu] = first_coordinate(shape, b, mu);
        if (mu != fast) {
            c[mu] += row % extent(shape, b, mu);
            row /= extent(shape, b, mu);
            sum += c[mu];
        }
    }
    c[fast] = 2 * (i % half) + ((sum + parity) & 1);
}

int ghost_number(const lattice_shape *shape, const ghost_box *b, const int c[4])
{
    const int fast = fast_direction(b), half = shape->local[fast] / 2;
    int row = 0;
    for (int mu = 3; mu >= 0; mu--)
        if (mu != fast)
            row = row * extent(shape, b, mu) + c[mu] - first_coordinate(shape, b, mu);
    return row * half + c[fast] / 2;
}

int ghost_index(const lattice_shape *shape, const ghost_box *b, int parity, int i)
{
    const int padded = (int)lattice_padded_half(shape);
    return parity ? 2 * padded + b->at + i : i - b->at - b->padded;
}
