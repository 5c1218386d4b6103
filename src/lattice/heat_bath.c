/* heat_bath.c - sweeps over directions and colours. */
#include "src/lattice/heat_bath.h"

#include "src/base/memory.h"
#include "src/lattice/kernels.h"

#include <assert.h>

MAP_KERNEL(heat_bath_plaquette);
MAP_KERNEL(heat_bath_rectangle);
MAP_KERNEL(heat_bath_parallelogram);

struct heat_bath {
    loop_weights w;
    loop_set loops;
    link_colors *colors;
};

heat_bath *heat_bath_create(const gauge *u, const loop_weights *w)
{
    heat_bath *h = memory_alloc(sizeof *h, "a heat bath");
    h->w = *w;
    h->loops = loops_of(w);
    h->colors = link_colors_create(u->links.lattice, u->links.where, h->loops);
    return h;
}

void heat_bath_free(heat_bath *h)
{
    if (h)
        link_colors_free(h->colors);
    memory_free(h);
}

int heat_bath_colors(const heat_bath *h, int mu)
{
    return link_colors_count(h->colors, mu);
}

static void update(heat_bath *h, gauge *u, int mu, int color, heat_bath_args args)
{
    static const map_kernel *const kernel[] = { &heat_bath_plaquette, &heat_bath_rectangle, &heat_bath_parallelogram };
    lattice *l = u->links.lattice;
    link_list list = link_colors_list(h->colors, mu, color);
    args.f = (gauge_force_args){ .l = lattice_on(l, u->links.where),
                                 .u = gauge_view_of(u),
                                 .plaquette = h->w.plaquette,
                                 .rectangle = h->w.rectangle,
                                 .parallelogram = h->w.parallelogram };
    args.sites = list.sites;
    args.mu = mu;
    run_map(kernel[h->loops], u->links.where, u->links.precision, &args, list.range);
    u->version = lattice_new_version(l);
}

void heat_bath_links(heat_bath *h, gauge *u, int mu, int color, rng_key key, int64_t sweep)
{
    assert(sweep >= 0 && sweep < HEAT_BATH_SWEEPS);
    update(h, u, mu, color, (heat_bath_args){ .key = key, .sweep = (uint32_t)sweep });
}

void heat_bath_overrelax_links(heat_bath *h, gauge *u, int mu, int color)
{
    update(h, u, mu, color, (heat_bath_args){ .overrelax = 1 });
}

void heat_bath_sweep(heat_bath *h, gauge *u, rng_key key, int64_t sweep)
{
    for (int mu = 0; mu < 4; mu++)
        for (int color = 0; color < heat_bath_colors(h, mu); color++)
            heat_bath_links(h, u, mu, color, key, sweep);
}

void heat_bath_overrelax(heat_bath *h, gauge *u)
{
    for (int mu = 0; mu < 4; mu++)
        for (int color = 0; color < heat_bath_colors(h, mu); color++)
            heat_bath_overrelax_links(h, u, mu, color);
}
