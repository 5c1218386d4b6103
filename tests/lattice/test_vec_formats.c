/* test_vec_formats.c - color vectors in formats other than native: every verb is that of native vectors, and then
 * stored; norms and products are those of what is stored. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec.h"
#include "src/lattice/vec_steps.h"
#include "tests/facts.h"
#include "tests/lattice/vec_sums.h"
#include "tests/on_every_backend.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const int extents[4] = { 4, 6, 2, 8 };
static const char *const parity_names[] = { "even", "odd", "all" };

/* Largest error of storing a number, relative to the largest of its site. */
static const double quantum[VECTOR_FORMATS] = { 0, 0x1.05p-16, 0x1.05p-19, 0x1.05p-29 };

static vec *random_in(lattice *l, parity_set on, place where, vector_format f, unsigned n)
{
    vec *v = vec_create_format(l, on, where, f);
    vec_set_gaussian(v, rng_key_for(79, 0, n, RNG_TEST), 0);
    return v;
}

static vec *random_like(const vec *v, unsigned n)
{
    return random_in(v->f.lattice, v->f.on, v->f.where, v->format, n);
}

/* How far v is from `want`, in units of what storing may change, and of rounding where sums cancel: at most 1. */
static double off_from(const vec *v, const double *want)
{
    double *got = vec_numbers(v), worst = 0;
    double rounding = v->f.precision == PRECISION_DOUBLE ? 1e-14 : 1e-6;
    for (size_t s = 0; s < vec_count(v); s += VEC_REALS) {
        double largest = 0;
        for (size_t i = s; i < s + VEC_REALS; i++)
            largest = worse(largest, fabs(want[i]));
        for (size_t i = s; i < s + VEC_REALS; i++)
            worst = worse(worst, fabs(got[i] - want[i]) / (quantum[v->format] * largest + rounding));
    }
    memory_free(got);
    return worst;
}

/* The same from a x + b y + c z. */
static double off(const vec *v, const multiple of[3])
{
    double *want = vec_sum(of);
    const double worst = off_from(v, want);
    memory_free(want);
    return worst;
}

static void verbs(const vec *like, const char *name)
{
    enum { MANY = 5 };
    vec *x = random_like(like, 1), *y = random_like(like, 2), *z = random_like(like, 3), *v = random_like(like, 4);
    vec_copy(v, y);
    vec_axpy(v, 0.7, x);
    fact(off(v, (multiple[]){ { 0.7, x }, { 1, y }, { 0, z } }) <= 1, "%s: y + a x", name);
    vec_copy(v, y);
    double norm2 = vec_axpy_norm2(v, -1.7, x, 1);
    fact(off(v, (multiple[]){ { -1.7, x }, { 1, y }, { 0, z } }) <= 1, "%s: y + a x, fused with its norm", name);
    fact_close(norm2 / vec_norm2(v), 1, DBL_EPSILON, "%s: which is that of what is stored", name);
    vec_copy(v, y);
    vec_xpay(v, x, 0.3);
    fact(off(v, (multiple[]){ { 1, x }, { 0.3, y }, { 0, z } }) <= 1, "%s: x + a y", name);

    shift_systems systems = shift_systems_create(like, MANY, random_like);
    const double *c = systems.c, worst = shift_systems_update(&systems, x, y, z, off);
    fact(worst <= 1, "%s: the update of %d systems at once", name, MANY);
    vec_combine(v, 2, x, c, systems.p, 2);
    fact(off(v, (multiple[]){ { 2, x }, { c[0], systems.p[0] }, { c[1], systems.p[1] } }) <= 1,
         "%s: partial fractions", name);
    vec_zero(v);
    fact(vec_norm2(v) == 0, "%s: zero has no norm", name);
    shift_systems_free(&systems);
    vec_free(v);
    vec_free(z);
    vec_free(y);
    vec_free(x);
}

/* Against long double, of the numbers that come out; terms are those of the precision. */
static void sums(const vec *like, const char *name)
{
    vec *x = random_like(like, 1), *y = random_like(like, 2);
    double rounding = like->f.precision == PRECISION_DOUBLE ? 4e-16 : 1e-7;
    double *u = vec_numbers(x), *v = vec_numbers(y);
    long double norm2 = 0, re = 0, im = 0;
    for (size_t i = 0; i < vec_count(x); i += 2) {
        norm2 += (long double)u[i] * u[i] + (long double)u[i + 1] * u[i + 1];
        re += (long double)u[i] * v[i] + (long double)u[i + 1] * v[i + 1];
        im += (long double)u[i] * v[i + 1] - (long double)u[i + 1] * v[i];
    }
    complex_number dot = vec_dot(x, y);
    fact_close(vec_norm2(x) / (double)norm2, 1, rounding, "%s: |x|^2", name);
    fact_close((dot.re - (double)re) / (double)norm2, 0, rounding, "%s: Re x^+ y", name);
    fact_close((dot.im - (double)im) / (double)norm2, 0, rounding, "%s: Im x^+ y", name);
    vec_combine(y, NAN, x, NULL, NULL, 0);
    fact(isnan(vec_norm2(y)) && isnan(vec_dot(x, y).re) && isnan(vec_axpy_norm2(y, 1, x, 1)),
         "%s: sums with a NaN are NaN", name);
    memory_free(v);
    memory_free(u);
    vec_free(y);
    vec_free(x);
}

/* The ways a vector can be kept: native in both precisions, and the formats. */
enum { WAYS = VECTOR_FORMATS + 1, NATIVE_DOUBLE = 0, NATIVE_SINGLE = VECTOR_FORMATS };
static vec *kept(lattice *l, parity_set on, place where, int way)
{
    return way == NATIVE_DOUBLE ? vec_create(l, on, where, PRECISION_DOUBLE)
         : way == NATIVE_SINGLE ? vec_create(l, on, where, PRECISION_SINGLE)
         : vec_create_format(l, on, where, (vector_format)way);
}

static bool same_numbers(const vec *a, const vec *b)
{
    double *p = vec_numbers(a), *q = vec_numbers(b);
    bool same = memcmp(p, q, vec_count(a) * sizeof *p) == 0;
    memory_free(p);
    memory_free(q);
    return same;
}

static void conversions(lattice *l, parity_set on, place where)
{
    const double error[WAYS] = { 0, quantum[1], quantum[2], quantum[3], 0x1p-24 };
    vec *v = vec_create(l, on, where, PRECISION_DOUBLE);
    bool close = true, exact = true, in_range = true;
    vec_set_gaussian(v, rng_key_for(79, 0, 1, RNG_TEST), 0);
    for (int from = 0; from < WAYS; from++)
        for (int to = 0; to < WAYS; to++) {
            vec *a = kept(l, on, where, from), *b = kept(l, on, where, to), *back = kept(l, on, where, from);
            vec_convert(a, v);
            vec_convert(b, a);
            double *x = vec_numbers(a), *y = vec_numbers(b);
            for (size_t s = 0; s < vec_count(v); s += VEC_REALS) {
                double largest = 0;
                for (size_t i = s; i < s + VEC_REALS; i++)
                    largest = worse(largest, fabs(x[i]));
                for (size_t i = s; i < s + VEC_REALS; i++)
                    close &= fabs(y[i] - x[i]) <= (error[to] + 0x1p-23 * (to != NATIVE_DOUBLE && to != VECTOR_INT30))
                                                  * largest;
            }
            /* numbers of half and int20 are floats, those of floats and int30 are doubles */
            bool finer = to == NATIVE_DOUBLE || to == from ||
                         (to == NATIVE_SINGLE && (from == VECTOR_HALF || from == VECTOR_INT20));
            exact &= !finer || same_numbers(a, b);
            vec_convert(back, b);
            in_range &= !finer || same_numbers(a, back);
            memory_free(y);
            memory_free(x);
            vec_free(back);
            vec_free(b);
            vec_free(a);
        }
    fact(close, "%s, %s: from every format to every other, to what the other can tell", place_name(where),
         parity_names[on]);
    fact(exact, "%s, %s: exactly, where the other is finer", place_name(where), parity_names[on]);
    fact(in_range, "%s, %s: and back from there without loss", place_name(where), parity_names[on]);
    vec_free(v);
}

/* A vector of odd sites lives in memory of its own, like one of even sites. */
static void noise_and_parities(lattice *l, place where, vector_format f)
{
    vec *native = vec_create(l, ON_ALL, where, vector_format_precision(f));
    vec *all = vec_create_format(l, ON_ALL, where, f);
    vec_set_gaussian(native, rng_key_for(79, 0, 6, RNG_TEST), 0);
    vec_convert(all, native);
    vec *direct = random_in(l, ON_ALL, where, f, 6);
    fact(same_numbers(all, direct), "%s, %s: random numbers are those of native vectors, stored", place_name(where),
         vector_format_names[f]);
    double *want = vec_numbers(all);
    bool right = true;
    for (parity_set on = ON_EVEN; on <= ON_ODD; on++) {
        vec *half = random_in(l, on, where, f, 6);
        double *got = vec_numbers(half);
        for (size_t i = 0; i < vec_count(all); i++)
            right &= got[i] == want[i] || got[i] == 0;
        right &= vec_norm2(half) > 0;
        memory_free(got);
        vec_free(half);
    }
    fact(right, "%s, %s: and those of one parity are those of all sites there", place_name(where),
         vector_format_names[f]);
    memory_free(want);
    vec_free(direct);
    vec_free(all);
    vec_free(native);
}

static void same_bytes_everywhere(lattice *l, vector_format f)
{
    vec *y[PLACES] = { NULL };
    double norm2[PLACES];
    FOR_EVERY_PLACE(where) {
        vec *x = random_in(l, ON_ALL, where, f, 1), *p = random_in(l, ON_ALL, where, f, 3);
        vec *result = random_in(l, ON_ALL, where, f, 2);
        vec_axpy(result, 0.4, p);
        vec_xpay(p, x, -0.6);
        norm2[where] = vec_axpy_norm2(result, 1.0 / 3, p, 1);
        y[where] = vec_create_format(l, ON_ALL, PLACE_CPU, f);
        vec_copy(y[where], result);
        vec_free(result);
        vec_free(p);
        vec_free(x);
    }
    if (y[PLACE_GPU])
        fact(memcmp(y[PLACE_CPU]->f.data, y[PLACE_GPU]->f.data, y[PLACE_CPU]->f.bytes) == 0 &&
             norm2[PLACE_CPU] == norm2[PLACE_GPU], "%s: CPU and GPU give the same bytes", vector_format_names[f]);
    vec_free(y[PLACE_CPU]);
    vec_free(y[PLACE_GPU]);
}

int main(void)
{
    lattice *l = lattice_create_single(extents);
    FOR_EVERY_PLACE(where) {
        for (vector_format f = VECTOR_HALF; f < VECTOR_FORMATS; f++) {
            for (parity_set on = ON_EVEN; on <= ON_ALL; on++) {
                char name[64];
                vec *like = vec_create_format(l, on, where, f);
                snprintf(name, sizeof name, "%s, %s, %s", place_name(where), vector_format_names[f], parity_names[on]);
                fact(like->f.bytes == vec_format_bytes(lattice_shape_of(l), f, on),
                     "%s: memory is what a plan of it says", name);
                verbs(like, name);
                sums(like, name);
                vec_free(like);
            }
            noise_and_parities(l, where, f);
        }
        for (parity_set on = ON_EVEN; on <= ON_ALL; on++)
            conversions(l, on, where);
    }
    for (vector_format f = VECTOR_HALF; f < VECTOR_FORMATS; f++)
        same_bytes_everywhere(l, f);
    lattice_free(l);
    return facts_end();
}
