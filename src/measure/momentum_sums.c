/* momentum_sums.c - sums over time slices with momenta. */
#include "src/measure/momentum_sums.h"

#include "src/base/memory.h"
#include "src/lattice/field_slices.h"
#include "src/site/exact_sum.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const spatial_momentum *momentum_at(const param_list *momenta, int index)
{
    return (const spatial_momentum *)momenta->item + index;
}

static bool are_same(const spatial_momentum *a, const spatial_momentum *b, int sign)
{
    return a->n[0] == sign * b->n[0] && a->n[1] == sign * b->n[1] && a->n[2] == sign * b->n[2];
}

bool momenta_check(const param_list *momenta, const meson_source_params *sources, const lattice_shape *shape,
                   const char *name, failure *f)
{
    if (momenta->count > 0 && sources->kind != SOURCE_POINT)
        return fail(f, "%s: momenta need source_type: point, smeared or not: other sources have momentum 0 alone",
                    name);
    if (momenta->count > MOMENTA_MAX)
        return fail(f, "%s: %d momenta, but at most %d are allowed", name, momenta->count, MOMENTA_MAX);
    for (int k = 0; k < momenta->count; k++) {
        const spatial_momentum *p = momentum_at(momenta, k);
        for (int i = 0; i < 3; i++)
            if (2 * llabs(p->n[i]) > shape->global[i])
                return fail(f, "%s: momenta.%d: component %lld is beyond half of the extent %d", name, k,
                            (long long)p->n[i], shape->global[i]);
        for (int other = 0; other < k; other++)
            if (are_same(p, momentum_at(momenta, other), 1) || are_same(p, momentum_at(momenta, other), -1))
                return fail(f, "%s: momenta.%d is that of momenta.%d, or opposite, and has the same correlators", name,
                            k, other);
    }
    return true;
}

void momenta_advise(text *lines, const char *key, const param_list *momenta)
{
    for (int k = 0; k < momenta->count; k++)
        if (are_same(momentum_at(momenta, k), momentum_at(momenta, k), -1))
            text_add(lines, "%s.momenta.%d is 0, whose correlators the members without momenta have already: remove "
                     "it\n", key, k);
}

/* exp(i p_i (x - origin)) of one direction at all x. */
typedef struct { double *re, *im; } plane_wave;

static void wave_create(plane_wave wave[3], const spatial_momentum *p, const int *extents, const int origin[4])
{
    for (int i = 0; i < 3; i++) {
        const int n = extents[i];
        wave[i].re = memory_alloc((size_t)n * sizeof *wave[i].re, "plane waves");
        wave[i].im = memory_alloc((size_t)n * sizeof *wave[i].im, "plane waves");
        for (int x = 0; x < n; x++) {
            const double angle = 2 * M_PI * (double)(p->n[i] * (x - origin[i]) % n) / n;
            wave[i].re[x] = cos(angle);
            wave[i].im[x] = sin(angle);
        }
    }
}

static void wave_free(plane_wave wave[3])
{
    for (int i = 0; i < 3; i++) {
        memory_free(wave[i].re);
        memory_free(wave[i].im);
    }
}

/* The real part of the product of the three waves. */
static double wave_at(const plane_wave wave[3], const int *extents, size_t site)
{
    const size_t nx = (size_t)extents[0], ny = (size_t)extents[1];
    const size_t x = site % nx, y = site / nx % ny, z = site / nx / ny;
    const double re = wave[0].re[x] * wave[1].re[y] - wave[0].im[x] * wave[1].im[y];
    const double im = wave[0].re[x] * wave[1].im[y] + wave[0].im[x] * wave[1].re[y];
    return re * wave[2].re[z] - im * wave[2].im[z];
}

/* A component of a slice [site][reals]. */
typedef struct { const double *at; size_t sites, reals; } slice_numbers;

/* The exact sum, rounded once; NaN where a number is not finite.  wave NULL: momentum 0. */
static double sum_exactly(const slice_numbers *s, const plane_wave *wave, const int *extents)
{
    sum_cell cell = { { 0 }, 0 };
    double largest = 0;
    for (size_t i = 0; i < s->sites; i++)
        largest = fmax(largest, fabs(s->at[i * s->reals]));
    const double bound = sum_bound_above(wave ? 2 * largest : largest);      /* a rounded weight may exceed 1 */
    for (size_t i = 0; i < s->sites; i++) {
        const double weight = wave ? wave_at(wave, extents, i) : 1;
        sum_cell_add(&cell, weight * s->at[i * s->reals], SUM_WORD / bound);
    }
    return sum_cell_value(&cell, bound);
}

/* Of `components` components, from number `component` on. */
typedef struct { double *sums; plane_wave (*wave)[3]; int count, component, components; } slice_sums;

/* For all slices; without waves: of momentum 0. */
static void sum_slices(const slice_sums *of, const field *f, int start)
{
    const int *extents = lattice_global(f->lattice), times = extents[3];
    double *slice = slice_alloc(field_slice_reals(f));
    slice_numbers numbers = { slice, field_slice_reals(f) / (size_t)f->reals, (size_t)f->reals };
    assert(of->component >= 0 && of->component + of->components <= f->reals && field_slice_count(f) == times);
    for (int t = 0; t < times; t++) {
        field_get_slice(slice, f, (start + t) % times);
        for (int i = 0; i < of->components; i++) {
            double *sums = of->sums + i * of->count * times + t;
            numbers.at = slice + of->component + i;
            for (int k = 0; k < of->count; k++)
                sums[k * times] = sum_exactly(&numbers, of->wave ? of->wave[k] : NULL, extents);
        }
    }
    memory_free(slice);
}

/* A range of components of a field. */
typedef struct { int first, count; } component_range;

static void sum_with_waves(double *sums, const field *f, component_range of, const param_list *momenta,
                           const int origin[4])
{
    plane_wave (*wave)[3] = memory_alloc((size_t)(momenta->count + 1) * sizeof *wave, "plane waves");
    for (int k = 0; k < momenta->count; k++)
        wave_create(wave[k], momentum_at(momenta, k), lattice_global(f->lattice), origin);
    if (momenta->count > 0)
        sum_slices(&(slice_sums){ sums, wave, momenta->count, of.first, of.count }, f, origin[3]);
    for (int k = 0; k < momenta->count; k++)
        wave_free(wave[k]);
    memory_free(wave);
}

void momentum_sums_in_time(double *sums, const field *f, int component, const param_list *momenta, const int origin[4])
{
    sum_with_waves(sums, f, (component_range){ component, 1 }, momenta, origin);
}

void momentum_sums_of_all(double *sums, const field *f, const param_list *momenta, const int origin[4])
{
    sum_with_waves(sums, f, (component_range){ 0, f->reals }, momenta, origin);
}

void zero_momentum_in_time(double *sums, const field *f, int component, const int origin[4])
{
    sum_slices(&(slice_sums){ sums, NULL, 1, component, 1 }, f, origin[3]);
}

void all_components_in_time(double *sums, const field *f, const int origin[4])
{
    sum_slices(&(slice_sums){ sums, NULL, 1, 0, f->reals }, f, origin[3]);
}

void momentum_lists_to_json(json *j, const char *key, const double *sums, const param_list *momenta, int times)
{
    if (momenta->count == 0)
        return;
    json_open(j, key, '[');
    for (int k = 0; k < momenta->count; k++)
        json_reals(j, NULL, sums + k * times, times);
    json_close(j);
}

#define AXIS(letter, index)                                                                                            \
    { .key = letter, .type = PARAM_INT, .offset = offsetof(spatial_momentum, n) + index * sizeof(int64_t),             \
      .fallback = "0", .min = -512, .max = 512, .doc = "the integer n of p = 2 pi n / L in direction " letter }

const param_spec spatial_momentum_specs[] = { AXIS("x", 0), AXIS("y", 1), AXIS("z", 2), { 0 } };
