/* link_colors.c - colors from coordinates, lists of sites from colors. */
#include "src/gauge/link_colors.h"

#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/lattice/place_memory.h"

#include <assert.h>
#include <string.h>

enum { COLORS_MAX = 32 };

struct link_colors {
    place where;
    int *sites;                                 /* all lists, one after another */
    size_t first[4][COLORS_MAX];
    int colors[4], count[4][COLORS_MAX];
};

loop_set link_colors_loops(const loop_weights *w)
{
    return w->parallelogram != 0 ? LOOPS_PARALLELOGRAM : w->rectangle != 0 ? LOOPS_RECTANGLE : LOOPS_PLAQUETTE;
}

bool link_colors_are_possible(const lattice_shape *shape, loop_set loops, failure *f)
{
    for (int mu = 0; mu < 4 && loops > LOOPS_PLAQUETTE; mu++)
        if (shape->global[mu] < 4)
            return fail(f, "lattice %s: a rectangle around an extent of 2 contains a link twice, so a heat bath cannot "
                           "sample this link; extents must be at least 4", extents_to_text(shape->global).s);
    return true;
}

static bool transverse_are_fours(const int global[4], int mu)
{
    bool fours = true;
    for (int nu = 0; nu < 4; nu++)
        fours &= nu == mu || global[nu] % 4 == 0;
    return fours;
}

int link_colors_count_for(const lattice_shape *shape, loop_set loops, int mu)
{
    int split = transverse_are_fours(shape->global, mu) ? 1 : 2;
    return loops == LOOPS_PLAQUETTE ? 2 : loops == LOOPS_RECTANGLE ? 4 * split : 16 * split;
}

/* x mod 4, or along a line of 6 + 4 n sites 012 012 0123 ...: nearest and next-nearest neighbors differ. */
static int digit(int x, int extent)
{
    if (extent % 4 == 0)
        return x % 4;
    return x < 6 ? x % 3 : (x - 6) % 4;
}

int link_colors_color_of(const lattice_shape *shape, loop_set loops, int mu, const int c[4])
{
    int odd = c[mu] % 2, d[3], i = 0;
    if (loops == LOOPS_PLAQUETTE)
        return coordinate_parity(c);
    for (int nu = 0; nu < 4; nu++)
        if (nu != mu)
            d[i++] = digit(c[nu], shape->global[nu]);
    bool fours = transverse_are_fours(shape->global, mu);
    int shift = fours ? 2 * odd : 0, split = fours ? 0 : odd;
    if (loops == LOOPS_RECTANGLE)
        return 4 * split + (shift + d[0] + d[1] + d[2]) % 4;
    return 16 * split + 4 * ((shift + d[0] + d[2]) % 4) + (shift + d[1] + d[2]) % 4;
}

/* Entries of all lists, each filled up to whole tiles. */
static size_t entries(const lattice_shape *shape, loop_set loops)
{
    size_t sum = 0;
    for (int mu = 0; mu < 4; mu++)
        sum += (size_t)lattice_local_sites(shape) + (size_t)link_colors_count_for(shape, loops, mu) * SITE_TILE;
    return sum;
}

size_t link_colors_bytes(const lattice_shape *shape, loop_set loops)
{
    return entries(shape, loops) * sizeof(int);
}

/* The color of every site, by index; -1: padding, and inactive links. */
static void color_sites(int *color, const lattice *l, loop_set loops, int mu)
{
    const lattice_shape *shape = lattice_shape_of(l);
    const int *n = shape->local;
    int c[4];
    for (int x = 0; x < lattice_sites_with_padding(l); x++)
        color[x] = -1;
    for (c[3] = 0; c[3] < n[3]; c[3]++)
        for (c[2] = 0; c[2] < n[2]; c[2]++)
            for (c[1] = 0; c[1] < n[1]; c[1]++)
                for (c[0] = 0; c[0] < n[0]; c[0]++) {
                    const int *o = shape->origin, at[4] = { o[0] + c[0], o[1] + c[1], o[2] + c[2], o[3] + c[3] };
                    const bool inactive = shape->open_in_time && mu == 3 && at[3] == shape->global[3] - 1;
                    color[lattice_site(l, c)] = inactive ? -1 : link_colors_color_of(shape, loops, mu, at);
                }
}

/* Writes the list of one color to `sites`, in the order of memory, and repeats the last site up to a whole tile.
 * *count <- the sites of this color; returns the entries written. */
static int list_sites(int *sites, int *count, const int *color, int all, int wanted)
{
    int n = 0;
    for (int x = 0; x < all; x++)
        if (color[x] == wanted)
            sites[n++] = x;
    *count = n;
    for (; n % SITE_TILE != 0; n++)
        sites[n] = sites[n - 1];
    return n;
}

link_colors *link_colors_create(const lattice *l, place where, loop_set loops)
{
    const lattice_shape *shape = lattice_shape_of(l);
    int all = lattice_sites_with_padding(l);
    size_t bytes = link_colors_bytes(shape, loops), used = 0;
    assert(link_colors_are_possible(shape, loops, NULL));
    link_colors *c = memory_alloc(sizeof *c, "colors of links");
    int *color = memory_alloc((size_t)all * sizeof *color, "colors");
    c->where = where;
    c->sites = place_alloc(where, bytes, "colors of links");
    int *host = where == PLACE_CPU ? c->sites : memory_alloc(bytes, "colors of links");
    for (int mu = 0; mu < 4; mu++) {
        color_sites(color, l, loops, mu);
        c->colors[mu] = link_colors_count_for(shape, loops, mu);
        for (int i = 0; i < c->colors[mu]; i++) {
            c->first[mu][i] = used;
            used += (size_t)list_sites(host + used, &c->count[mu][i], color, all, i);
        }
    }
    memory_free(color);
    if (host != c->sites) {
        device_copy_to(c->sites, host, bytes);
        memory_free(host);
    }
    return c;
}

void link_colors_free(link_colors *c)
{
    if (c)
        place_free(c->where, c->sites);
    memory_free(c);
}

int link_colors_count(const link_colors *c, int mu)
{
    return c->colors[mu];
}

link_list link_colors_list(const link_colors *c, int mu, int color)
{
    int count = c->count[mu][color];
    return (link_list){ c->sites + c->first[mu][color],
                        range_of_list(count) };
}
