/* gauge.c - operations on the gauge field, and gauge transformations. */
#include "src/gauge/gauge.h"

#include "src/base/memory.h"
#include "src/halo/exchange.h"
#include "src/kernels/open_args.h"
#include "src/lattice/kernels.h"

MAP_KERNEL(random_links);
MAP_KERNEL(random_matrix);
MAP_KERNEL(link_drift);
MAP_KERNEL(reunitarize);
SUM_KERNEL(reunitarize_change, 0, 1);
MAP_KERNEL(gauge_transform);
MAP_KERNEL(momentum_transform);
MAP_KERNEL(open_links);

static gauge *create_with(ghost_level ghosts, lattice *l, place where, precision p)
{
    gauge *u = memory_alloc(sizeof *u, "a gauge field");
    u->links = field_create_ghosts(l, ghosts, where, p, GAUGE_REALS, "a gauge field");
    u->version = lattice_new_version(l);
    u->ghosts = memory_alloc(sizeof *u->ghosts, "a gauge field");
    return u;
}

gauge *gauge_create(lattice *l, place where, precision p)
{
    return create_with(GHOSTS_LOOPS, l, where, p);
}

gauge *gauge_create_straight(lattice *l, place where, precision p)
{
    return create_with(GHOSTS_STRAIGHT, l, where, p);
}

size_t gauge_straight_bytes(const lattice_shape *shape, precision p)
{
    return field_bytes_on(shape, ON_ALL, GHOSTS_STRAIGHT, p, GAUGE_REALS);
}

void gauge_free(gauge *u)
{
    if (u) {
        field_free(&u->links);
        memory_free(u->ghosts);
    }
    memory_free(u);
}

void gauge_exchange(const gauge *u, ghost_level level)
{
    if (u->ghosts->version == u->version && u->ghosts->level >= level)
        return;
    field_exchange(&u->links, level);
    *u->ghosts = (gauge_ghosts){ u->version, level };
}

gauge_view gauge_view_of(const gauge *u)
{
    return (gauge_view){ field_view_of(&u->links).data };
}

void gauge_copy(gauge *to, const gauge *from)
{
    field_copy(&to->links, &from->links);
    to->version = from->version;
    *to->ghosts = *from->ghosts;
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

/* After links were written: with open boundaries, sets the inactive ones to unit matrices again. */
static void set_inactive(gauge *u)
{
    if (!lattice_is_open(u->links.lattice))
        return;
    gauge_args args = args_of(u);
    run_on(&open_links, &u->links, &args);
}

/* Every matrix of the field becomes the unit matrix. */
static void set_unit(field *f)
{
    const size_t reals = field_slice_reals(f);
    double *unit = slice_alloc(reals);
    for (size_t link = 0; link < reals; link += MATRIX_REALS)
        for (size_t i = 0; i < 3; i++)
            unit[link + 8 * i] = 1;
    for (int t = 0; t < field_slice_count(f); t++)
        field_set_slice(f, t, unit);
    memory_free(unit);
}

void gauge_set_unit(gauge *u)
{
    set_unit(&u->links);
    is_new(u);
}

void gauge_set_random(gauge *u, rng_key key)
{
    gauge_args a = args_of(u);
    random_links_args args = { a.l, a.u, key };
    run_on(&random_links, &u->links, &args);
    set_inactive(u);
    is_new(u);
}

void gauge_import(gauge *u, const double *lexicographic)
{
    field_import(&u->links, lexicographic);
    set_inactive(u);
    is_new(u);
}

static void set_slice(void *to, int t, const double *slice)
{
    gauge *u = to;
    field_set_slice(&u->links, t, slice);
    if (t == field_slice_count(&u->links) - 1)
        set_inactive(u);
    is_new(u);
}

slice_sink gauge_slice_sink(gauge *u)
{
    return (slice_sink){ set_slice, u, field_slice_count(&u->links), field_slice_reals(&u->links) };
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
    set_inactive(u);                        /* exp(0) U may change signs of zeros */
    is_new(u);
}

void gauge_reunitarize(gauge *u)
{
    gauge_args args = args_of(u);
    run_on(&reunitarize, &u->links, &args);
    set_inactive(u);
    is_new(u);
}

double gauge_reunitarize_change(gauge *u)
{
    const field *f = &u->links;
    gauge_args args = args_of(u);
    const sum_launch sum = { .where = f->where, .precision = f->precision, .args = &args,
                             .range = lattice_all(f->lattice) };
    double change;
    run_sum_once(&reunitarize_change, f->lattice, &sum, SUM_BOUND, &change);
    set_inactive(u);
    is_new(u);
    return change;
}

void gauge_forget_derived(gauge *u)
{
    is_new(u);
}

static gauge_rotation *create_rotation(lattice *l, place where, precision p)
{
    gauge_rotation *g = memory_alloc(sizeof *g, "a gauge rotation");
    g->f = field_create(l, where, p, MATRIX_REALS, "a gauge rotation");
    return g;
}

gauge_rotation *gauge_rotation_create_unit(lattice *l, place where, precision p)
{
    gauge_rotation *g = create_rotation(l, where, p);
    set_unit(&g->f);
    return g;
}

gauge_rotation *gauge_rotation_create(lattice *l, place where, precision p, rng_key key)
{
    gauge_rotation *g = create_rotation(l, where, p);
    random_matrix_args args = { lattice_on(l, where), matrix_view_of(&g->f), key };
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
    gauge_transform_args args = { a.l, a.u, matrix_view_of(&g->f) };
    field_exchange(&g->f, GHOSTS_NEAR);
    run_on(&gauge_transform, &u->links, &args);
    set_inactive(u);
    is_new(u);
}

void momentum_rotate(momentum *p, const gauge_rotation *g)
{
    momentum_transform_args args = { lattice_on(p->f.lattice, p->f.where), momentum_view_of(p), matrix_view_of(&g->f) };
    run_on(&momentum_transform, &p->f, &args);
}
