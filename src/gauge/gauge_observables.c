/* gauge_observables.c - observables of the links: run the kernel, sum exactly, normalize. */
#include "src/gauge/gauge_observables.h"

#include "src/halo/exchange.h"
#include "src/kernels/link_pair_args.h"
#include "src/kernels/open_args.h"
#include "src/lattice/kernels.h"

#include <math.h>
#include <stddef.h>

SUM_KERNEL(plaquette, 2, 0);
SUM_KERNEL(rectangle, 1, 0);
SUM_KERNEL(parallelogram, 1, 0);
SUM_KERNEL(polyakov, 2, 0);
MAP_KERNEL(polyakov_part);
SUM_KERNEL(polyakov_trace, 2, 0);
SUM_KERNEL(link_quality, 1, 1);
SUM_KERNEL(field_strength, 3, 0);
SUM_KERNEL(link_distance, 0, 1);
SUM_KERNEL(weighted_plaquette, 2, 0);
SUM_KERNEL(weighted_rectangle, 3, 0);
SUM_KERNEL(weighted_parallelogram, 2, 0);
SUM_KERNEL(open_field_strength, 3, 0);
MAP_KERNEL(open_densities);

static void sum_over(const sum_kernel *k, const gauge *u, const void *args, double *result)
{
    const field *links = &u->links;
    const sum_launch sum = { .where = links->where, .precision = links->precision, .args = args,
                             .range = lattice_all(links->lattice) };
    run_sum(k, links->lattice, &sum, result);
}

/* Fills the ghost sites that loops need. */
static gauge_args args_of(const gauge *u)
{
    gauge_exchange(u, GHOSTS_LOOPS);
    return (gauge_args){ lattice_on(u->links.lattice, u->links.where), gauge_view_of(u) };
}

static double volume_of(const gauge *u)
{
    return (double)lattice_volume(u->links.lattice);
}

plaquette_means plaquette_means_of(const double s[2], double volume)
{
    const double planes = 3 * volume;
    return (plaquette_means){ (s[0] + s[1]) / (6 * planes), s[0] / (3 * planes), s[1] / (3 * planes) };
}

double link_trace_of(double sum, double volume)
{
    return sum / (3 * 4 * volume);
}

/* Weighted sums of Re Tr of loops by their steps in t, 0 to 2, and the sums for unit links. */
typedef struct { double trace[3], unit[3]; } weighted_sums;

/* A kind of loop.  per_site[n]: the loops per site with n steps in t, for n < steps; weights: offset of their factors
 * in time_weights. */
typedef struct { const sum_kernel *kernel; int per_site[3]; size_t steps, weights; } loop_kind;
static const loop_kind plaquette_loops = { &weighted_plaquette, { 3, 3, 0 }, 2, offsetof(time_weights, plaquette) };
static const loop_kind rectangle_loops = { &weighted_rectangle, { 6, 3, 3 }, 3, offsetof(time_weights, rectangle) };
static const loop_kind parallelograms = { &weighted_parallelogram, { 4, 12, 0 }, 2,
                                          offsetof(time_weights, parallelogram) };

static void count_weighted(double unit[3], const loop_kind *k, const lattice *l, const time_weights *w)
{
    const double *weight = (const double *)(const void *)((const char *)w + k->weights);
    const int times = lattice_global(l)[3], all[3] = { times, times, times };
    const double active[3] = { times - 2 + 2 * w->ends, times - 1, times - 2 };
    const double slice = (double)lattice_volume(l) / times;
    for (size_t steps = 0; steps < k->steps; steps++)
        unit[steps] = 3 * k->per_site[steps] * (w->open ? active[steps] : all[steps]) * slice * weight[steps];
}

static weighted_sums sum_weighted(const loop_kind *k, const gauge *u, const time_weights *w)
{
    const weighted_loop_args args = { args_of(u), *w };
    weighted_sums o = { { 0 }, { 0 } };
    sum_over(k->kernel, u, &args, o.trace);
    count_weighted(o.unit, k, u->links.lattice, w);
    return o;
}

/* Mean over active loops with open boundaries. */
static weighted_sums sum_open(const loop_kind *k, const gauge *u)
{
    const time_weights w = time_weights_open(1);
    return sum_weighted(k, u, &w);
}

static double open_mean(const weighted_sums *o)
{
    return (o->trace[0] + o->trace[1] + o->trace[2]) / (o->unit[0] + o->unit[1] + o->unit[2]);
}

/* The sum of w (1 - Re Tr W / 3). */
static double deficit(const weighted_sums *o)
{
    double sum = 0;
    for (int steps = 0; steps < 3; steps++)
        sum += o->unit[steps] - o->trace[steps];
    return sum / 3;
}

loop_sums gauge_weighted_loops(const gauge *u, const time_weights *w, bool with_rectangles, bool with_parallelograms)
{
    const weighted_sums p = sum_weighted(&plaquette_loops, u, w);
    loop_sums sums = { deficit(&p), 0, 0 };
    if (with_rectangles) {
        const weighted_sums r = sum_weighted(&rectangle_loops, u, w);
        sums.rectangle = deficit(&r);
    }
    if (with_parallelograms) {
        const weighted_sums c = sum_weighted(&parallelograms, u, w);
        sums.parallelogram = deficit(&c);
    }
    return sums;
}

static double count(const loop_kind *k, const lattice *l, const time_weights *w)
{
    double unit[3] = { 0 };
    count_weighted(unit, k, l, w);
    return (unit[0] + unit[1] + unit[2]) / 3;
}

loop_sums gauge_loop_counts(const lattice *l, const time_weights *w)
{
    return (loop_sums){ count(&plaquette_loops, l, w), count(&rectangle_loops, l, w), count(&parallelograms, l, w) };
}

plaquette_means gauge_plaquette_of_all(const gauge *u)
{
    gauge_args args = args_of(u);
    double s[2];
    sum_over(&plaquette, u, &args, s);
    return plaquette_means_of(s, volume_of(u));
}

plaquette_means gauge_plaquette(const gauge *u)
{
    if (!lattice_is_open(u->links.lattice))
        return gauge_plaquette_of_all(u);
    const weighted_sums o = sum_open(&plaquette_loops, u);
    return (plaquette_means){ open_mean(&o), o.trace[0] / o.unit[0], o.trace[1] / o.unit[1] };
}

double gauge_rectangle(const gauge *u)
{
    if (lattice_is_open(u->links.lattice)) {
        const weighted_sums o = sum_open(&rectangle_loops, u);
        return open_mean(&o);
    }
    gauge_args args = args_of(u);
    double s;
    sum_over(&rectangle, u, &args, &s);
    return s / (3 * 12 * volume_of(u));
}

double gauge_parallelogram(const gauge *u)
{
    if (lattice_is_open(u->links.lattice)) {
        const weighted_sums o = sum_open(&parallelograms, u);
        return open_mean(&o);
    }
    gauge_args args = args_of(u);
    double s;
    sum_over(&parallelogram, u, &args, &s);
    return s / (3 * 16 * volume_of(u));
}

/* Polyakov loops in a direction that is distributed over processes: process after process multiplies the product of the
 * previous processes by its own links. */
static void sum_split_lines(const gauge *u, polyakov_args *args, double *s)
{
    const field *links = &u->links;
    field line = field_create_ghosts(links->lattice, GHOSTS_NEAR, links->where, links->precision, MATRIX_REALS,
                                     "Polyakov lines");
    args->line = matrix_view_of(&line);
    for (int process = 0; process < lattice_shape_of(links->lattice)->grid[args->direction]; process++) {
        field_exchange(&line, GHOSTS_NEAR);
        run_map(&polyakov_part, links->where, links->precision, args, lattice_all(links->lattice));
    }
    sum_over(&polyakov_trace, u, args, s);
    field_free(&line);
}

polyakov_mean gauge_polyakov(const gauge *u, int direction)
{
    if (direction == 3 && lattice_is_open(u->links.lattice))
        return (polyakov_mean){ 0, 0 };
    gauge_args a = args_of(u);
    polyakov_args args = { .l = a.l, .u = a.u, .direction = direction };
    const int *global = lattice_global(u->links.lattice);
    double s[2], lines = volume_of(u) / global[direction];
    if (lattice_local(u->links.lattice)[direction] == global[direction])
        sum_over(&polyakov, u, &args, s);
    else
        sum_split_lines(u, &args, s);
    return (polyakov_mean){ s[0] / (3 * lines), s[1] / (3 * lines) };
}

link_quality_means gauge_link_quality(const gauge *u)
{
    gauge_args args = args_of(u);
    double s[2];
    sum_over(&link_quality, u, &args, s);
    return (link_quality_means){ link_trace_of(s[0], volume_of(u)), s[1] };
}

field_strength_means gauge_field_strength(const gauge *u)
{
    gauge_args args = args_of(u);
    const int times = lattice_global(u->links.lattice)[3];
    const bool open = lattice_is_open(u->links.lattice);
    double s[3], leaves2 = 16, volume = open ? volume_of(u) / times * (times - 2) : volume_of(u);
    sum_over(open ? &open_field_strength : &field_strength, u, &args, s);
    for (int i = 0; i < 3; i++)
        s[i] /= leaves2;
    return (field_strength_means){ (s[0] + s[1]) / volume, s[0] / volume, s[1] / volume, s[2] / (4 * M_PI * M_PI) };
}

double gauge_distance(const gauge *u, const gauge *v)
{
    gauge_args a = args_of(u);
    link_pair_args args = { a.l, a.u, gauge_view_of(v) };
    double largest2;
    sum_over(&link_distance, u, &args, &largest2);
    return sqrt(largest2);
}

double gauge_plaquette_energy(const gauge *u)
{
    const double planes = 6, trace_of_one = 3;
    return 2 * planes * trace_of_one * (1 - gauge_plaquette(u).average);
}

field gauge_open_densities(const gauge *u)
{
    field densities = field_create(u->links.lattice, u->links.where, u->links.precision, DENSITIES, "densities");
    const open_density_args args = { args_of(u), field_view_of(&densities).data };
    run_map(&open_densities, u->links.where, u->links.precision, &args, lattice_all(u->links.lattice));
    return densities;
}
