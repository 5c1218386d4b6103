/* format_errors.c - compares the result of an operator in a format with the result in double precision, on the host. */
#include "src/bench/format_errors.h"

#include "src/base/memory.h"
#include "src/lattice/field_slices.h"
#include "src/operators/staggered.h"

#include <assert.h>
#include <math.h>

/* out <- D in, with links in the storage that belongs to that of the vectors */
static void hop_low(vec *out, const staggered_errors_of *of, const vec *in)
{
    staggered_low *low = staggered_low_create_as(of->links, of->naik, in->format, in->f.precision);
    staggered_low_update(low);
    staggered_low_hop(out, low, of->set, in);
    staggered_low_free(low);
}

/* Sums of squares, and counts of numbers with an error larger than each epsilon. */
typedef struct { double deviations2, numbers2; size_t beyond[ERROR_LEVELS_MAX]; } error_counts;

/* The error of a non-finite number is larger than any epsilon. */
static void count_errors(error_counts *c, format_errors *e, const double *got, const double *want, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double off = fabs(got[i] - want[i]);
        for (int k = 0; k < e->count; k++)
            c->beyond[k] += !(off <= e->level[k].epsilon);
        if (off > e->largest || isnan(off))
            e->largest = off;
        c->deviations2 += off * off;
        c->numbers2 += want[i] * want[i];
    }
}

format_errors format_errors_of(const vec *packed, const vec *want, const double *epsilon, int count)
{
    format_errors e = { .count = count };
    assert(want->f.precision == PRECISION_DOUBLE && count >= 0 && count <= ERROR_LEVELS_MAX);
    for (int k = 0; k < count; k++)
        e.level[k].epsilon = epsilon[k];
    const size_t reals = field_slice_reals(&want->f), slices = (size_t)field_slice_count(&want->f);
    const size_t n = reals * slices / (want->f.on == ON_ALL ? 1 : 2);         /* the other parity is zero in slices */
    double *g = slice_alloc(reals), *w = slice_alloc(reals);
    vec *got = vec_create_native(packed, packed->f.precision);
    error_counts c = { .deviations2 = 0 };
    vec_convert(got, packed);
    for (int t = 0; t < field_slice_count(&want->f); t++) {
        field_get_slice(g, &got->f, t);
        field_get_slice(w, &want->f, t);
        count_errors(&c, &e, g, w, reals);
    }
    for (int k = 0; k < e.count; k++)
        e.level[k].beyond = (double)c.beyond[k] / (double)n;
    e.rms = sqrt(c.deviations2 / (double)n);
    e.component_rms = sqrt(c.numbers2 / (double)n);
    vec_free(got);
    memory_free(w);
    memory_free(g);
    return e;
}

format_errors format_errors_measure(const staggered_errors_of *of, format_pair in, const double *epsilon, int count)
{
    const field *links = &staggered_fat(of->links, of->set)->links;
    lattice *l = links->lattice;
    place where = links->where;
    assert(links->precision == PRECISION_DOUBLE);

    vec *v = vec_create(l, ON_ALL, where, PRECISION_DOUBLE), *dv = vec_create(l, ON_ALL, where, PRECISION_DOUBLE);
    vec *stored = vec_create_stored(l, ON_ALL, where, in.stored, 1);
    vec *low = vec_create_stored(l, ON_ALL, where, in.computed, 1);
    vec *out = vec_create_stored(l, ON_ALL, where, in.computed, 1);
    vec_set_gaussian(v, of->key, 0);
    staggered_hop(dv, of->links, of->set, v);
    vec_convert(stored, v);
    vec_convert(low, stored);
    hop_low(out, of, low);
    vec_convert(stored, out);
    const format_errors e = format_errors_of(stored, dv, epsilon, count);
    vec_free(out);
    vec_free(low);
    vec_free(stored);
    vec_free(dv);
    vec_free(v);
    return e;
}
