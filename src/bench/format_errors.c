/* format_errors.c - deviations of D v in a format from D v in double precision, counted on the host. */
#include "src/bench/format_errors.h"

#include "src/base/memory.h"
#include "src/operators/staggered.h"
#include "src/operators/staggered_low.h"

#include <assert.h>
#include <math.h>

/* out <- D in, with all numbers of the links that go with its vectors */
static void hop_low(vec *out, const staggered_links *s, int set, const vec *in)
{
    staggered_low *low = staggered_low_create_full(s, in->format, in->f.precision);
    staggered_low_update(low);
    staggered_low_hop(out, low, set, in);
    staggered_low_free(low);
}

static double *numbers_of(const vec *v)
{
    double *a = memory_alloc((size_t)lattice_volume(v->f.lattice) * VEC_REALS * sizeof *a, "numbers of a vector");
    vec_export(a, v);
    return a;
}

/* What is no number is off by more than any epsilon. */
static void compare(format_errors *e, const vec *got, const vec *want)
{
    double *g = numbers_of(got), *w = numbers_of(want), deviations2 = 0, numbers2 = 0;
    size_t n = (size_t)lattice_volume(want->f.lattice) * VEC_REALS, beyond[ERROR_LEVELS_MAX] = { 0 };
    for (size_t i = 0; i < n; i++) {
        double off = fabs(g[i] - w[i]);
        for (int k = 0; k < e->count; k++)
            beyond[k] += !(off <= e->level[k].epsilon);
        if (off > e->largest || isnan(off))
            e->largest = off;
        deviations2 += off * off;
        numbers2 += w[i] * w[i];
    }
    for (int k = 0; k < e->count; k++)
        e->level[k].beyond = (double)beyond[k] / (double)n;
    e->rms = sqrt(deviations2 / (double)n);
    e->component_rms = sqrt(numbers2 / (double)n);
    memory_free(w);
    memory_free(g);
}

format_errors format_errors_measure(const staggered_links *s, int set, vector_format f, precision p, rng_key key,
                                    const double *epsilon, int count)
{
    const field *links = &staggered_fat(s, set)->links;
    lattice *l = links->lattice;
    place where = links->where;
    format_errors e = { .count = count };
    assert(links->precision == PRECISION_DOUBLE && count >= 0 && count <= ERROR_LEVELS_MAX);
    for (int k = 0; k < count; k++)
        e.level[k].epsilon = epsilon[k];

    vec *v = vec_create(l, ON_ALL, where, PRECISION_DOUBLE), *dv = vec_create(l, ON_ALL, where, PRECISION_DOUBLE);
    vec *in = f == VECTOR_NATIVE ? vec_create(l, ON_ALL, where, p) : vec_create_format(l, ON_ALL, where, f);
    vec *out = f == VECTOR_NATIVE ? vec_create(l, ON_ALL, where, p) : vec_create_format(l, ON_ALL, where, f);
    vec_set_gaussian(v, key, 0);
    staggered_hop(dv, s, set, v);
    vec_convert(in, v);
    hop_low(out, s, set, in);
    compare(&e, out, dv);
    vec_free(out);
    vec_free(in);
    vec_free(dv);
    vec_free(v);
    return e;
}
