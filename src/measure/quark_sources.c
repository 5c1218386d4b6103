/* quark_sources.c - sources of the propagators of quarks with spin, and what is read off their solutions. */
#include "src/measure/quark_sources.h"

#include "src/base/memory.h"
#include "src/lattice/field_slices.h"

#include <math.h>

/* 1 in one component, spin and colour. */
static void set_point(dwf_field source, const int at[4], int column)
{
    const int *n = lattice_global(source.even->f.lattice);
    const size_t site = ((size_t)at[2] * (size_t)n[1] + (size_t)at[1]) * (size_t)n[0] + (size_t)at[0];
    field *there = coordinate_parity(at) == 1 ? &source.odd->f : &source.even->f;
    double *slice = slice_alloc(field_slice_reals(there));
    slice[site * SLAB_GROUP * VEC_REALS + 2 * (size_t)column] = 1;
    vec_zero(source.even);
    vec_zero(source.odd);
    field_set_slice(there, at[3], slice);
    memory_free(slice);
}

void quark_source_set(dwf_field source, int number, const int point[4], rng_key key)
{
    if (number < SOURCE_COLUMNS) {
        set_point(source, point, number);
        return;
    }
    const uint32_t first_draw = (uint32_t)(number - SOURCE_COLUMNS) * SOURCE_DRAWS;
    vec_set_gaussian(source.even, key, first_draw);
    vec_set_gaussian(source.odd, key, first_draw);
}

bool quark_source_check(const int point[4], const lattice_shape *shape, const char *name, failure *f)
{
    for (int mu = 0; mu < 4; mu++)
        if (point[mu] >= shape->global[mu])
            return fail(f, "%s: the source [%d, %d, %d, %d] is outside the lattice", name, point[0], point[1], point[2],
                        point[3]);
    return true;
}

bool solve_totals_add(solve_totals *t, const dirac_solved *s, double mass, const dirac_goal *goal, failure *f)
{
    t->iterations += s->iterations;
    t->residual = fmax(t->residual, s->residual);
    return s->converged || fail(f, "mass %g: residual %.1e after %d iterations, requested %.1e", mass, s->residual,
                                s->iterations, goal->residual);
}

source_mean source_mean_of(const double *values, int count)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    source_mean m = { sum / count, NAN };
    for (int i = 0; i < count; i++)
        squares += (values[i] - m.value) * (values[i] - m.value);
    if (count > 1)
        m.error = sqrt(squares / (count - 1) / count);
    return m;
}

double plateau_mean(const double *values, int times, double plateau)
{
    double sum = 0;
    int count = 0;
    for (int t = 0; t < times; t++) {
        const int distance = t <= times - t ? t : times - t;
        if (distance >= plateau * times) {
            sum += values[t];
            count++;
        }
    }
    return sum / count;
}
