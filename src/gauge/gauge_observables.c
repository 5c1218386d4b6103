/* gauge_observables.c - kernel, exact sum, normalisation. */
#include "src/gauge/gauge_observables.h"

#include "src/halo/exchange.h"
#include "src/kernels/link_pair_args.h"
#include "src/kernels/open_args.h"
#include "src/lattice/kernels.h"

#include <math.h>

SUM_KERNEL(plaquette, 2, 0);
SUM_KERNEL(rectangle, 1, 0);
SUM_KERNEL(parallelogram, 1, 0);
SUM_KERNEL(polyakov, 2, 0);
MAP_KERNEL(polyakov_part);
SUM_KERNEL(polyakov_trace, 2, 0);
SUM_KERNEL(link_quality, 1, 1);
SUM_KERNEL(field_strength, 3, 0);
SUM_KERNEL(link_distance, 0, 1);
SUM_KERNEL(open_plaquette, 2, 0);
SUM_KERNEL(open_rectangle, 3, 0);
SUM_KERNEL(open_parallelogram, 2, 0);
SUM_KERNEL(open_field_strength, 3, 0);
MAP_KERNEL(open_densities);

static void sum_over(const sum_kernel *k, const gauge *u, const void *args, double *result)
{
    const field *links = &u->links;
    const sum_launch sum = { .where = links->where, .precision = links->precision, .args = args,
                             .range = lattice_all(links->lattice) };
    run_sum(k, links->lattice, &sum, result);
}

/* Loops of links: with ghosts as far as they reach. */
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

/* Sums of Re Tr of loops with open boundaries by their steps in t, 0 to 2, and the sums for unit links. */
typedef struct { double trace[3], unit[3]; } open_sums;

/* `per_site` loops of a site by their steps in t, with weight `ends` in the first and the last slice. */
static open_sums sum_open(const sum_kernel *k, const gauge *u, const int per_site[3], double ends)
{
    const open_loop_args args = { args_of(u), { 1, 1, ends } };
    const int times = lattice_global(u->links.lattice)[3];
    const double slice = volume_of(u) / times, slices[3] = { times - 2 + 2 * ends, times - 1, times - 2 };
    open_sums o = { { 0 }, { 0 } };
    sum_over(k, u, &args, o.trace);
    for (int steps = 0; steps < 3; steps++)
        o.unit[steps] = 3 * per_site[steps] * slices[steps] * slice;
    return o;
}

static const int open_plaquettes[3] = { 3, 3, 0 }, open_rectangles[3] = { 6, 3, 3 }, open_bent_loops[3] = { 4, 12, 0 };

static double open_mean(const open_sums *o)
{
    return (o->trace[0] + o->trace[1] + o->trace[2]) / (o->unit[0] + o->unit[1] + o->unit[2]);
}

/* The sum of w (1 - Re Tr W / 3). */
static double open_deficit(const open_sums *o)
{
    double sum = 0;
    for (int steps = 0; steps < 3; steps++)
        sum += o->unit[steps] - o->trace[steps];
    return sum / 3;
}

open_loop_sums gauge_open_loops(const gauge *u, double ends, bool with_rectangles, bool with_parallelograms)
{
    const open_sums p = sum_open(&open_plaquette, u, open_plaquettes, ends);
    open_loop_sums sums = { open_deficit(&p), 0, 0 };
    if (with_rectangles) {
        const open_sums r = sum_open(&open_rectangle, u, open_rectangles, ends);
        sums.rectangle = open_deficit(&r);
    }
    if (with_parallelograms) {
        const open_sums c = sum_open(&open_parallelogram, u, open_bent_loops, ends);
        sums.parallelogram = open_deficit(&c);
    }
    return sums;
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
    const open_sums o = sum_open(&open_plaquette, u, open_plaquettes, 1);
    return (plaquette_means){ open_mean(&o), o.trace[0] / o.unit[0], o.trace[1] / o.unit[1] };
}

double gauge_rectangle(const gauge *u)
{
    if (lattice_is_open(u->links.lattice)) {
        const open_sums o = sum_open(&open_rectangle, u, open_rectangles, 1);
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
        const open_sums o = sum_open(&open_parallelogram, u, open_bent_loops, 1);
        return open_mean(&o);
    }
    gauge_args args = args_of(u);
    double s;
    sum_over(&parallelogram, u, &args, &s);
    return s / (3 * 16 * volume_of(u));
}

/* Lines of links that several processes hold: one after the other, each takes the line of the one before. */
static void sum_split_lines(const gauge *u, polyakov_args *args, double *s)
{
    const field *links = &u->links;
    field line = field_create_ghosts(links->lattice, GHOSTS_NEAR, links->where, links->precision, MATRIX_REALS,
                                     "Polyakov lines");
    args->line = matrix_view_of(&line);
    for (int turn = 0; turn < lattice_shape_of(links->lattice)->grid[args->direction]; turn++) {
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
