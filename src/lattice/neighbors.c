/* neighbors.c - tables of indices. */
#include "src/lattice/neighbors.h"

#include "src/site/view.h"

#include <string.h>

int neighbors_site(const lattice_shape *shape, const int c[4])
{
    const int *n = shape->local, row = (c[3] * n[2] + c[2]) * n[1] + c[1];
    return coordinate_parity(c) * (int)lattice_padded_half(shape) + row * (n[0] / 2) + c[0] / 2;
}

/* ---- the box of a site from its coordinates */

enum { SIDE = 2 * GHOST_HOPS + 1, DISTANCES = SIDE * SIDE * SIDE * SIDE };

/* The number of the box at these distances, plus 1; 0: none. */
typedef struct { unsigned char box[DISTANCES]; } box_table;

static int key_of(const int distance[4])
{
    int key = 0;
    for (int mu = 3; mu >= 0; mu--)
        key = key * SIDE + distance[mu] + GHOST_HOPS;
    return key;
}

static void list_boxes(box_table *of, const ghost_boxes *ghosts)
{
    memset(of, 0, sizeof *of);
    for (int b = 0; b < ghosts->count; b++)
        of->box[key_of(ghosts->box[b].distance)] = (unsigned char)(b + 1);
}

/* Coordinates modulo the extents where this rank holds the whole direction. */
static void wrap(int c[4], const lattice_shape *shape)
{
    for (int mu = 0; mu < 4; mu++)
        if (shape->grid[mu] == 1)
            c[mu] = (c[mu] % shape->local[mu] + shape->local[mu]) % shape->local[mu];
}

static int parity_of(const int c[4])
{
    return (c[0] + c[1] + c[2] + c[3]) & 1;
}

/* The index of a site of this rank or of a ghost; for any other site, that of the first site of its parity. */
static int index_of(const lattice_shape *shape, const ghost_boxes *ghosts, const box_table *of, const int at[4])
{
    int c[4], distance[4], outside = 0;
    memcpy(c, at, sizeof c);
    wrap(c, shape);
    for (int mu = 0; mu < 4; mu++) {
        const int n = shape->local[mu];
        distance[mu] = c[mu] < 0 ? c[mu] : c[mu] >= n ? c[mu] - n + 1 : 0;
        outside |= distance[mu] != 0;
        if (distance[mu] > GHOST_HOPS || distance[mu] < -GHOST_HOPS)
            return parity_of(c) * (int)lattice_padded_half(shape);
    }
    if (!outside)
        return neighbors_site(shape, c);
    const int b = of->box[key_of(distance)];
    if (b == 0)
        return parity_of(c) * (int)lattice_padded_half(shape);
    const ghost_box *box = &ghosts->box[b - 1];
    return ghost_index(shape, box, parity_of(c), ghost_number(shape, box, c));
}

/* ---- tables */

typedef struct {
    const lattice_shape *shape;
    const ghost_boxes *ghosts;
    box_table of;
    int *table;
    size_t rows;
} filling;

/* Fills the entries of the site with these coordinates and index x. */
static void fill_site(const filling *f, int x, const int c[4])
{
    const size_t row = (size_t)(x + f->ghosts->sites[GHOSTS_EVERY]);
    for (int n = 0; n < NEIGHBORS; n++) {
        const int mu = n % 4, hop = n < NEIGHBORS / 2 ? 1 : 3;
        int y[4];
        memcpy(y, c, sizeof y);
        y[mu] += n / 4 % 2 == 0 ? hop : -hop;
        f->table[(size_t)n * f->rows + row] = index_of(f->shape, f->ghosts, &f->of, y);
    }
}

/* The neighbor of a padding site: padding of the other parity; of padding among ghosts, the first site of the other
 * parity. */
static int of_padding(int x, int padded)
{
    if (x < 0 || x >= 2 * padded)
        return x < 0 ? padded : 0;
    return x < padded ? x + padded : x - padded;
}

void neighbors_fill(int *table, const lattice_shape *shape, const ghost_boxes *ghosts)
{
    const int padded = (int)lattice_padded_half(shape), all = ghosts->sites[GHOSTS_EVERY], *local = shape->local;
    filling f = { .shape = shape, .ghosts = ghosts, .table = table, .rows = 2 * (size_t)(padded + all) };
    list_boxes(&f.of, ghosts);
    for (size_t n = 0; n < NEIGHBORS; n++)
        for (int x = -all; x < 2 * padded + all; x++)
            table[n * f.rows + (size_t)(x + all)] = of_padding(x, padded);
#pragma omp parallel for
    for (int t = 0; t < local[3]; t++)
        for (int z = 0; z < local[2]; z++)
            for (int y = 0; y < local[1]; y++)
                for (int x = 0; x < local[0]; x++) {
                    const int c[4] = { x, y, z, t };
                    fill_site(&f, neighbors_site(shape, c), c);
                }
    for (int b = 0; b < ghosts->count; b++)
        for (int parity = 0; parity < 2; parity++)
            for (int i = 0; i < ghosts->box[b].sites; i++) {
                int c[4];
                ghost_coordinate(c, shape, &ghosts->box[b], parity, i);
                fill_site(&f, ghost_index(shape, &ghosts->box[b], parity, i), c);
            }
}

void neighbors_list_sent(int *sent, const lattice_shape *shape, const ghost_boxes *ghosts)
{
    const int all = ghosts->sites[GHOSTS_EVERY];
    for (int list = 0; list < SENT_LISTS; list++)
        for (int b = 0; b < ghosts->count; b++) {
            const ghost_box *box = &ghosts->box[b];
            const int parity = list == SENT_ODD;
            int *to = sent + (size_t)list * (size_t)all
                      + (list == SENT_EVEN_LAST_FIRST ? all - box->at - box->padded : box->at);
            for (int i = 0; i < box->padded; i++) {
                int c[4];
                ghost_coordinate(c, shape, box, parity, i < box->sites ? i : box->sites - 1);
                for (int mu = 0; mu < 4; mu++)
                    c[mu] -= box->owner[mu] * shape->local[mu];
                to[i] = neighbors_site(shape, c);
            }
        }
}
