/* gauge.c - verbs of the gauge field and of gauge rotations. */
#include "src/lattice/gauge.h"

#include "src/base/memory.h"
#include "src/lattice/kernels.h"

MAP_KERNEL(random_links);
MAP_KERNEL(random_matrix);
MAP_KERNEL(link_drift);
MAP_KERNEL(reunitarize);
MAP_KERNEL(gauge_transform);
MAP_KERNEL(momentum_transform);

gauge *gauge_create(lattice *l, place where, precision p)
{
    gauge *u = memory_alloc(sizeof *u, "a gauge field");
    u->links = field_create(l, where, p, GAUGE_REALS, "a gauge field");
    u->version = lattice_new_version(l);
    return u;
}

void gauge_free(gauge *u)
{
    if (u)
        field_free(&u->links);
    memory_free(u);
}

gauge_view gauge_view_of(const gauge *u)
{
    return (gauge_view){ u->links.data };
}

void gauge_copy(gauge *to, const gauge *from)
{
    field_copy(&to->links, &from->links);
    to->version = from->version;
}

static gauge_args args_of(const gauge *u)
{
    return (gauge_args){ lattice_on(u->links.lattice, u->links.where), gauge_view_of(u) };
}

static void is_new(gauge *u)
{
    u->version = lattice_new_version(u->links.lattice);
}

static void run_on(const map_kernel *k, const field *f, const void *args)
{
    run_map(k, f->where, f->precision, args, lattice_all(f->lattice));
}

void gauge_set_unit(gauge *u)
{
    size_t volume = (size_t)lattice_local_sites(lattice_shape_of(u->links.lattice));
    double *unit = memory_alloc(volume * GAUGE_REALS * sizeof *unit, "unit links");
    for (size_t link = 0; link < 4 * volume; link++)
        for (int i = 0; i < 3; i++)
            unit[link * MATRIX_REALS + (size_t)(8 * i)] = 1;
    gauge_import(u, unit);
    memory_free(unit);
}

void gauge_set_random(gauge *u, rng_key key)
{
    gauge_args a = args_of(u);
    random_links_args args = { a.l, a.u, key };
    run_on(&random_links, &u->links, &args);
    is_new(u);
}

void gauge_import(gauge *u, const double *lexicographic)
{
    field_import(&u->links, lexicographic);
    is_new(u);
}

void gauge_export(double *lexicographic, const gauge *u)
{
    field_export(lexicographic, &u->links);
}

void gauge_drift(gauge *u, double dt, const momentum *p)
{
    gauge_args a = args_of(u);
    link_drift_args args = { a.l, a.u, momentum_view_of(p), dt };
    run_on(&link_drift, &u->links, &args);
    is_new(u);
}

void gauge_reunitarize(gauge *u)
{
    gauge_args args = args_of(u);
    run_on(&reunitarize, &u->links, &args);
    is_new(u);
}

gauge_rotation *gauge_rotation_create(lattice *l, place where, precision p, rng_key key)
{
    gauge_rotation *g = memory_alloc(sizeof *g, "a gauge rotation");
    g->f = field_create(l, where, p, MATRIX_REALS, "a gauge rotation");
    random_matrix_args args = { lattice_on(l, where), { g->f.data }, key };
    run_on(&random_matrix, &g->f, &args);
    return g;
}

void gauge_rotation_free(gauge_rotation *g)
{
    if (g)
        field_free(&g->f);
    memory_free(g);
}

void gauge_rotate(gauge *u, const gauge_rotation *g)
{
    gauge_args a = args_of(u);
    gauge_transform_args args = { a.l, a.u, { g->f.data } };
    run_on(&gauge_transform, &u->links, &args);
    is_new(u);
}

void momentum_rotate(momentum *p, const gauge_rotation *g)
{
    momentum_transform_args args = { lattice_on(p->f.lattice, p->f.where), momentum_view_of(p), { g->f.data } };
    run_on(&momentum_transform, &p->f, &args);
}
