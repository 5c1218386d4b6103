/* slice_densities.c - numbers of sites on the device, exact sums over slices on the host. */
#include "src/measure/slice_densities.h"

#include "src/base/memory.h"
#include "src/gauge/gauge_observables.h"
#include "src/kernels/open_args.h"
#include "src/measure/momentum_sums.h"

#include <math.h>

slice_densities *slice_densities_create(int times)
{
    slice_densities *s = memory_alloc(sizeof *s, "sums over time slices");
    const size_t bytes = (size_t)times * sizeof(double);
    s->times = times;
    s->energy = memory_alloc(bytes, "sums over time slices");
    s->plaquette_energy = memory_alloc(bytes, "sums over time slices");
    s->charge = memory_alloc(bytes, "sums over time slices");
    return s;
}

void slice_densities_free(slice_densities *s)
{
    if (!s)
        return;
    memory_free(s->energy);
    memory_free(s->plaquette_energy);
    memory_free(s->charge);
    memory_free(s);
}

size_t slice_densities_bytes(const lattice_shape *shape)
{
    return field_bytes(shape, PRECISION_DOUBLE, DENSITIES);
}

/* 2 sum over planes of Re Tr (1 - P) for a mean of the sums of three planes. */
static double energy_of_planes(double mean)
{
    return 2 * (3 * 3 - mean);
}

void slice_densities_measure(slice_densities *s, const gauge *u)
{
    const int times = s->times, origin[4] = { 0 };
    const double sites = (double)lattice_volume(u->links.lattice) / times, leaves2 = 16;
    double *sum[DENSITIES];
    field densities = gauge_open_densities(u);
    for (int n = 0; n < DENSITIES; n++) {
        sum[n] = memory_alloc((size_t)times * sizeof(double), "sums over time slices");
        zero_momentum_in_time(sum[n], &densities, n, origin);
    }
    for (int t = 0; t < times; t++) {
        const bool inside = t > 0 && t < times - 1;
        const double below = inside ? sum[DENSITY_PLANES_TIME][t - 1] : 0;
        s->energy[t] = (sum[DENSITY_ENERGY_SPACE][t] + sum[DENSITY_ENERGY_TIME][t]) / (leaves2 * sites);
        s->charge[t] = sum[DENSITY_CHARGE][t] / (leaves2 * 4 * M_PI * M_PI);
        s->plaquette_energy[t] = inside ? energy_of_planes(sum[DENSITY_PLANES_SPACE][t] / sites)
                                          + energy_of_planes((below + sum[DENSITY_PLANES_TIME][t]) / (2 * sites))
                                        : 0;
    }
    for (int n = 0; n < DENSITIES; n++)
        memory_free(sum[n]);
    field_free(&densities);
}

double slice_mean(const double *slices, int first, int last)
{
    double sum = 0;
    for (int t = first; t <= last; t++)
        sum += slices[t];
    return sum / (last - first + 1);
}
