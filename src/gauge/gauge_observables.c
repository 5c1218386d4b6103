/* gauge_observables.c - kernel, exact sum, normalisation. */
#include "src/gauge/gauge_observables.h"

#include "src/halo/exchange.h"
#include "src/kernels/link_pair_args.h"
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

plaquette_means gauge_plaquette(const gauge *u)
{
    gauge_args args = args_of(u);
    double s[2];
    sum_over(&plaquette, u, &args, s);
    return plaquette_means_of(s, volume_of(u));
}

double gauge_rectangle(const gauge *u)
{
    gauge_args args = args_of(u);
    double s;
    sum_over(&rectangle, u, &args, &s);
    return s / (3 * 12 * volume_of(u));
}

double gauge_parallelogram(const gauge *u)
{
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
    double s[3], leaves2 = 16, volume = volume_of(u);
    sum_over(&field_strength, u, &args, s);
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
