/* peer_pieces.c - cuts boxes of ghosts into pieces. */
#include "src/halo/peer_pieces.h"

#include "src/site/view.h"

#include <stdbool.h>
#include <stddef.h>

/* A box to be cut: its sent sites of both parities, and the numbers of its ghosts on other ranks. */
typedef struct { const ghost_box *box; const int *sent[2]; int first[2]; peer_piece common; } box_source;

static int tiles_of(const ghost_box *box)
{
    return box->padded >> SITE_TILE_BITS;
}

/* Whether tile i is a copy of one whole tile here. */
static bool is_whole_tile(const int *sent, int i)
{
    const int *site = sent + i * SITE_TILE;
    bool is = site[0] % SITE_TILE == 0;
    for (int k = 1; k < SITE_TILE; k++)
        is = is && site[k] == site[0] + k;
    return is;
}

/* The number of tiles from tile i on, at most `most`, that are copies of consecutive tiles, for both parities; 0 if
 * tile i is not a copy of a whole tile. */
static int tiles_in_a_row(const box_source *s, int i, int most)
{
    int n = 0;
    while (n < most && i + n < tiles_of(s->box)) {
        for (int parity = 0; parity < 2; parity++)
            if (!is_whole_tile(s->sent[parity], i + n)
                || s->sent[parity][(i + n) * SITE_TILE] != s->sent[parity][i * SITE_TILE] + n * SITE_TILE)
                return n;
        n++;
    }
    return n;
}

static peer_piece piece_at(const box_source *s, int i, int in_a_row)
{
    peer_piece p = s->common;
    p.entry = s->box->at + i * SITE_TILE;
    p.tiles = in_a_row > 0 ? in_a_row : 1;
    for (int parity = 0; parity < 2; parity++) {
        p.to[parity] = s->first[parity] + i * SITE_TILE;
        p.from[parity] = in_a_row > 0 ? s->sent[parity][i * SITE_TILE] : -1;
    }
    return p;
}

/* peer_piece.neighbor */
static int neighbor_of(const ghost_box *box)
{
    int neighbor = -1, directions = 0;
    for (int mu = 0; mu < 4; mu++)
        if (box->distance[mu] != 0) {
            neighbor = 2 * mu + (box->distance[mu] < 0);
            directions++;
        }
    return directions == 1 ? neighbor : -1;
}

static box_source source_of(const ghost_box *box, const int *sent, const lattice_shape *shape,
                            const ghost_boxes *ghosts)
{
    box_source s = { .box = box, .common = { .receiver = ghost_receiver(shape, box), .neighbor = neighbor_of(box) } };
    for (int level = 0; level < GHOST_LEVELS; level++)
        s.common.levels |= ghost_is_read(box, (ghost_level)level) << level;
    for (int parity = 0; parity < 2; parity++) {
        s.sent[parity] = sent + (size_t)parity * (size_t)ghosts->sites[GHOSTS_EVERY] + box->at;
        s.first[parity] = ghost_index(shape, box, parity, 0);
    }
    return s;
}

void peer_pieces_list(peer_piece *piece, int count[GHOST_LEVELS], int most, const int *sent,
                      const lattice_shape *shape, const ghost_boxes *ghosts)
{
    int n = 0;
    for (int level = 0; level < GHOST_LEVELS; level++)
        count[level] = 0;
    for (int b = 0; b < ghosts->count; b++) {
        const box_source s = source_of(&ghosts->box[b], sent, shape, ghosts);
        for (int i = 0; i < tiles_of(s.box); i += piece[n - 1].tiles) {
            piece[n] = piece_at(&s, i, tiles_in_a_row(&s, i, most));
            n++;
        }
        for (int level = (int)s.box->level; level < GHOST_LEVELS; level++)
            count[level] = n;
    }
}
