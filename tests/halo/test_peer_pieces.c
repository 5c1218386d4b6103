/* test_peer_pieces.c - the pieces that a rank sends: copying them piece by piece, as a warp does, fills every ghost of
 * the other ranks with the site that the table of sent sites names. */
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/halo/peer_pieces.h"
#include "src/lattice/neighbors.h"
#include "src/site/view.h"
#include "tests/facts.h"

#include <string.h>

typedef struct {
    lattice_shape shape;
    ghost_boxes ghosts;
    int *sent;
    peer_piece *piece;
    int count[GHOST_LEVELS];
} sender;

static sender sender_of(const int extents[4], const int grid[4], int most)
{
    sender s = { .shape = lattice_shape_of_rank(extents, grid, 0, 3) };
    s.ghosts = ghost_boxes_of(&s.shape);
    const size_t sites = (size_t)s.ghosts.sites[GHOSTS_EVERY];
    s.sent = memory_alloc(SENT_LISTS * sites * sizeof *s.sent, "sent sites");
    s.piece = memory_alloc(sites / SITE_TILE * sizeof *s.piece, "pieces");
    neighbors_list_sent(s.sent, &s.shape, &s.ghosts);
    peer_pieces_list(s.piece, s.count, most, s.sent, &s.shape, &s.ghosts);
    return s;
}

/* The site that a piece puts into its i-th ghost. */
static int copied_site(const sender *s, const peer_piece *p, int parity, int i)
{
    const int entry = p->entry + i;
    return p->from[parity] >= 0 ? p->from[parity] + i
                                : s->sent[(size_t)parity * (size_t)s->ghosts.sites[GHOSTS_EVERY] + (size_t)entry];
}

/* 2 mu or 2 mu + 1 for ghosts beyond one end in mu, else -1. */
static int neighbor_of(const ghost_box *box)
{
    for (int k = 0; k < 8; k++) {
        bool is = true;
        for (int mu = 0; mu < 4; mu++)
            is = is && (mu != k / 2 ? box->distance[mu] == 0 : k % 2 ? box->distance[mu] < 0 : box->distance[mu] > 0);
        if (is)
            return k;
    }
    return -1;
}

/* The ghosts of one level and parity that are not filled once, with the right site and at the right rank. */
static int wrong_ghosts(const sender *s, ghost_level level, int parity)
{
    const int *sent = s->sent + (size_t)parity * (size_t)s->ghosts.sites[GHOSTS_EVERY];
    int wrong = 0, *filled = memory_alloc((size_t)s->ghosts.sites[GHOSTS_EVERY] * sizeof *filled, "ghosts filled");
    for (int n = 0; n < s->count[level]; n++) {
        const peer_piece *p = &s->piece[n];
        for (int i = 0; i < p->tiles * SITE_TILE && (p->levels >> level & 1); i++) {
            const int entry = p->entry + i;
            filled[entry]++;
            wrong += copied_site(s, p, parity, i) != sent[entry];
        }
    }
    for (int b = 0; b < s->ghosts.count; b++) {
        const ghost_box *box = &s->ghosts.box[b];
        for (int i = 0; i < box->padded; i++)
            wrong += filled[box->at + i] != ghost_is_read(box, level);
    }
    for (int n = 0; n < s->count[level]; n++)
        for (int b = 0; b < s->ghosts.count; b++) {
            const ghost_box *box = &s->ghosts.box[b];
            const int at = s->piece[n].entry - box->at;
            if (at >= 0 && at < box->padded)
                wrong += s->piece[n].to[parity] != ghost_index(&s->shape, box, parity, at)
                         || s->piece[n].receiver != ghost_receiver(&s->shape, box)
                         || s->piece[n].neighbor != neighbor_of(box);
        }
    memory_free(filled);
    return wrong;
}

/* The entries of the list of even sites in the order of memory that differ from the site that the ghost copies. */
static int wrong_in_memory(const sender *s)
{
    const int all = s->ghosts.sites[GHOSTS_EVERY], *even = s->sent + (size_t)SENT_EVEN * (size_t)all;
    const int *in_memory = s->sent + (size_t)SENT_EVEN_LAST_FIRST * (size_t)all;
    int wrong = 0;
    for (int b = 0; b < s->ghosts.count; b++) {
        const ghost_box *box = &s->ghosts.box[b];
        for (int i = 0; i < box->padded; i++)
            wrong += in_memory[all + ghost_index(&s->shape, box, 0, i)] != even[box->at + i];
    }
    return wrong;
}

static void pieces_fill_ghosts(const int extents[4], const int grid[4], int most)
{
    sender s = sender_of(extents, grid, most);
    int wrong = 0, longest = 0;
    for (int level = GHOSTS_NEAR; level < GHOST_LEVELS; level++)
        for (int parity = 0; parity < 2; parity++)
            wrong += wrong_ghosts(&s, (ghost_level)level, parity);
    for (int n = 0; n < s.count[GHOSTS_EVERY]; n++)
        longest = s.piece[n].tiles > longest ? s.piece[n].tiles : longest;
    fact(wrong == 0, "%s on a grid of %s, pieces of up to %d tiles: each ghost of each level gets its site once",
         extents_to_text(extents).s, extents_to_text(grid).s, most);
    fact(longest <= most, "and no piece is longer");
    fact(wrong_in_memory(&s) == 0, "and the last list has the even sites in the order of their ghosts in memory");
    memory_free(s.sent);
    memory_free(s.piece);
}

/* The time slices of a lattice are whole tiles. */
static void slices_are_blocks(void)
{
    static const int extents[4] = { 8, 8, 8, 12 }, grid[4] = { 1, 1, 1, 2 };
    sender s = sender_of(extents, grid, 8);
    int near = 0, whole = 0;
    for (int n = 0; n < s.count[GHOSTS_NEAR]; n++) {
        near++;
        whole += s.piece[n].from[0] >= 0 && s.piece[n].from[1] >= 0 && s.piece[n].tiles == 8;
    }
    fact(near == 2 && whole == 2, "a time slice of 8 tiles is one piece at each end of a block");
    memory_free(s.sent);
    memory_free(s.piece);
}

int main(void)
{
    static const struct { int extents[4], grid[4]; } of[] = {
        { { 8, 8, 8, 12 }, { 1, 1, 1, 2 } }, { { 4, 6, 4, 16 }, { 1, 1, 1, 2 } }, { { 8, 8, 8, 8 }, { 1, 1, 2, 2 } },
        { { 8, 8, 8, 8 }, { 2, 2, 2, 2 } },  { { 6, 4, 12, 8 }, { 1, 1, 3, 1 } },
    };
    for (unsigned i = 0; i < sizeof of / sizeof *of; i++)
        for (int most = 1; most <= 8; most *= 2)
            pieces_fill_ghosts(of[i].extents, of[i].grid, most);
    slices_are_blocks();
    return facts_end();
}
