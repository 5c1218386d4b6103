/* heatbath.c - sweeps over directions and colors. */
#include "src/gauge/heatbath.h"

#include "src/base/memory.h"
#include "src/lattice/kernels.h"

#include <assert.h>

MAP_KERNEL(heatbath_plaquette);
MAP_KERNEL(heatbath_rectangle);
MAP_KERNEL(heatbath_parallelogram);
MAP_KERNEL(weighted_heatbath_plaquette);
MAP_KERNEL(weighted_heatbath_rectangle);
MAP_KERNEL(weighted_heatbath_parallelogram);

struct heatbath {
    loop_weights w;
    loop_set loops;
    link_colors *colors;
};

heatbath *heatbath_create(const gauge *u, const loop_weights *w)
{
    heatbath *h = memory_alloc(sizeof *h, "a heat bath");
    h->w = *w;
    h->loops = link_colors_loops(w);
    h->colors = link_colors_create(u->links.lattice, u->links.where, h->loops);
    return h;
}

void heatbath_free(heatbath *h)
{
    if (h)
        link_colors_free(h->colors);
    memory_free(h);
}

int heatbath_colors(const heatbath *h, int mu)
{
    return link_colors_count(h->colors, mu);
}

static void update_color(heatbath *h, gauge *u, int mu, int color, heatbath_args args)
{
    static const map_kernel *const kernel[] = { &heatbath_plaquette, &heatbath_rectangle, &heatbath_parallelogram };
    static const map_kernel *const weighted_kernel[] = { &weighted_heatbath_plaquette, &weighted_heatbath_rectangle,
                                                         &weighted_heatbath_parallelogram };
    lattice *l = u->links.lattice;
    link_list list = link_colors_list(h->colors, mu, color);
    args.f = (gauge_force_args){ .l = lattice_on(l, u->links.where),
                                 .u = gauge_view_of(u),
                                 .plaquette = h->w.plaquette,
                                 .rectangle = h->w.rectangle,
                                 .parallelogram = h->w.parallelogram };
    args.sites = list.sites;
    args.mu = mu;
    gauge_exchange(u, GHOSTS_LOOPS);
    const weighted_heatbath_args weighted = { args, h->w.by_time };
    if (!time_weights_are_equal(&h->w.by_time))
        run_map(weighted_kernel[h->loops], u->links.where, u->links.precision, &weighted, list.range);
    else
        run_map(kernel[h->loops], u->links.where, u->links.precision, &args, list.range);
    u->version = lattice_new_version(l);
}

void heatbath_links(heatbath *h, gauge *u, int mu, int color, rng_key key, int64_t sweep)
{
    assert(sweep >= 0 && sweep < HEATBATH_SWEEPS);
    update_color(h, u, mu, color, (heatbath_args){ .key = key, .sweep = (uint32_t)sweep });
}

void heatbath_overrelax_links(heatbath *h, gauge *u, int mu, int color)
{
    update_color(h, u, mu, color, (heatbath_args){ .overrelax = 1 });
}

void heatbath_sweep(heatbath *h, gauge *u, rng_key key, int64_t sweep)
{
    for (int mu = 0; mu < 4; mu++)
        for (int color = 0; color < heatbath_colors(h, mu); color++)
            heatbath_links(h, u, mu, color, key, sweep);
}

void heatbath_overrelax(heatbath *h, gauge *u)
{
    for (int mu = 0; mu < 4; mu++)
        for (int color = 0; color < heatbath_colors(h, mu); color++)
            heatbath_overrelax_links(h, u, mu, color);
}
