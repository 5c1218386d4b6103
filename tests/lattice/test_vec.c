/* test_vec.c - color vectors: every verb against the same done on the host, sums to rounding, random numbers. */
#include "src/lattice/vec.h"

#include "src/base/memory.h"
#include "src/base/version.h"
#include "src/lattice/rng.h"
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

static rng_key key_of(unsigned n)
{
    return rng_key_for(73, 0, n, RNG_TEST);
}

static vec *random_like(const vec *v, unsigned n)
{
    vec *r = vec_create(v->f.lattice, v->f.on, v->f.where, v->f.precision);
    vec_set_gaussian(r, key_of(n), 0);
    return r;
}

/* max |v - (a x + b y + c z)| on the host */
static double off(const vec *v, const multiple of[3])
{
    double *got = vec_numbers(v), *want = vec_sum(of), worst = 0;
    for (size_t i = 0; i < vec_count(v); i++)
        worst = worse(worst, fabs(got[i] - want[i]));
    memory_free(got);
    memory_free(want);
    return worst;
}

static void verbs(const vec *like, const char *name)
{
    vec *x = random_like(like, 1), *y = random_like(like, 2), *z = random_like(like, 3), *v = random_like(like, 4);
    double rounding = like->f.precision == PRECISION_DOUBLE ? 1e-14 : 1e-5;
    vec_copy(v, y);
    vec_axpy(v, 0.7, x);
    fact_close(off(v, (multiple[]){ { 0.7, x }, { 1, y }, { 0, z } }), 0, rounding, "%s: y + a x", name);
    vec_copy(v, y);
    double norm2 = vec_axpy_norm2(v, -1.7, x, 1);
    fact_close(off(v, (multiple[]){ { -1.7, x }, { 1, y }, { 0, z } }), 0, rounding,
               "%s: y + a x, fused with its norm", name);
    fact_close(norm2 / vec_norm2(v), 1, DBL_EPSILON, "%s: which is |y + a x|^2", name);
    vec_copy(v, y);
    vec_xpay(v, x, 0.3);
    fact_close(off(v, (multiple[]){ { 1, x }, { 0.3, y }, { 0, z } }), 0, rounding, "%s: x + a y", name);

    enum { MANY = SHIFTS_MAX };
    shift_systems systems = shift_systems_create(like, MANY, random_like);
    const double *a = systems.a, *c = systems.c, worst = shift_systems_update(&systems, x, y, z, off);
    fact_close(worst, 0, rounding, "%s: the update of %d systems at once", name, MANY);
    vec_combine(v, 2, x, c, systems.x, MANY);
    double of_y = 0, of_z = 0;
    for (int k = 0; k < MANY; k++) {
        of_y += c[k];
        of_z += c[k] * a[k];
    }
    fact_close(off(v, (multiple[]){ { 2, x }, { of_y, y }, { of_z, z } }), 0, 300 * rounding,
               "%s: partial fractions of %d", name, MANY);
    vec_combine(v, 0.5, v, NULL, NULL, 0);
    fact_close(off(v, (multiple[]){ { 1, x }, { of_y / 2, y }, { of_z / 2, z } }), 0, 300 * rounding,
               "%s: in place, of none", name);
    shift_systems_free(&systems);
    vec_zero(v);
    fact(vec_norm2(v) == 0, "%s: zero has no norm", name);
    vec_free(v);
    vec_free(z);
    vec_free(y);
    vec_free(x);
}

/* Sums against long double, for vectors of any size; terms of |x|^2 are those of the precision. */
static void sums(const vec *like, const char *name)
{
    vec *x = random_like(like, 1), *y = random_like(like, 2);
    bool precise = like->f.precision == PRECISION_DOUBLE;
    double rounding = precise ? 4e-16 : 1e-7;
    double *u = vec_numbers(x), *v = vec_numbers(y);
    long double norm2 = 0, re = 0, im = 0;
    for (size_t i = 0; i < vec_count(x); i += 2) {
        norm2 += (long double)u[i] * u[i] + (long double)u[i + 1] * u[i + 1];
        re += (long double)u[i] * v[i] + (long double)u[i + 1] * v[i + 1];
        im += (long double)u[i] * v[i + 1] - (long double)u[i + 1] * v[i];
    }
    complex_number dot = vec_dot(x, y), self = vec_dot(x, x);
    fact_close(vec_norm2(x) / (double)norm2, 1, rounding, "%s: |x|^2", name);
    fact_close((dot.re - (double)re) / (double)norm2, 0, rounding, "%s: Re x^+ y", name);
    fact_close((dot.im - (double)im) / (double)norm2, 0, rounding, "%s: Im x^+ y", name);
    fact_close(self.im / (double)norm2, 0, rounding, "%s: x^+ x is real", name);

    int largest = precise ? 200 : 25;
    double worst_norm = 0, worst_dot = 0, worst_guess = 0;
    for (int e = -largest; e <= largest; e += largest / 5) {
        vec_combine(y, ldexp(1, 2 * e), x, NULL, NULL, 0);
        worst_norm = worse(worst_norm, fabs(ldexp(vec_norm2(y), -4 * e) / vec_norm2(x) - 1));
        worst_dot = worse(worst_dot, fabs(ldexp(vec_dot(x, y).re, -2 * e) / vec_norm2(x) - 1));
    }
    fact_close(worst_norm, 0, DBL_EPSILON, "%s: |x|^2 to rounding from 2^-%d to 2^%d", name, 4 * largest, 4 * largest);
    fact_close(worst_dot, 0, DBL_EPSILON, "%s: and x^+ y", name);
    vec_copy(y, x);
    for (int e = -400; e <= 400; e += 20)
        worst_guess = worse(worst_guess, fabs(vec_axpy_norm2(y, 0, x, ldexp((double)norm2, e)) / vec_norm2(x) - 1));
    fact_close(worst_guess, 0, DBL_EPSILON, "%s: what is guessed of a norm does not show in it", name);
    const double odd_guesses[] = { 0, -1, NAN, INFINITY };
    for (int i = 0; i < 4; i++)
        fact_close(vec_axpy_norm2(y, 0, x, odd_guesses[i]) / vec_norm2(x), 1, DBL_EPSILON, "%s: nor does a guess of %g",
                   name, odd_guesses[i]);

    const double bad[] = { NAN, INFINITY };
    for (int i = 0; i < 2; i++) {
        vec_combine(y, bad[i], x, NULL, NULL, 0);
        fact(isnan(vec_norm2(y)) && isnan(vec_dot(x, y).re) && isnan(vec_axpy_norm2(y, 1, x, 1)),
             "%s: sums of what is %g are not numbers", name, bad[i]);
    }
    memory_free(v);
    memory_free(u);
    vec_free(y);
    vec_free(x);
}

/* What is imported comes back at the sites of the vector, and is zero elsewhere. */
static void there_and_back(const vec *like, const char *name)
{
    vec *v = random_like(like, 1), *w = random_like(like, 2);
    double *a = memory_alloc(vec_count(v) * sizeof *a, "a vector");
    for (size_t i = 0; i < vec_count(v); i++)
        a[i] = (double)i + 1;
    vec_import(v, a);
    double *b = vec_numbers(v);
    bool right = true;
    for (size_t i = 0; i < vec_count(v); i++) {
        size_t s = i / VEC_REALS, n[3] = { (size_t)extents[0], (size_t)extents[1], (size_t)extents[2] };
        size_t parity = (s % n[0] + s / n[0] % n[1] + s / n[0] / n[1] % n[2] + s / n[0] / n[1] / n[2]) % 2;
        bool here = v->f.on == ON_ALL || parity == (v->f.on == ON_ODD);
        right &= b[i] == (here ? a[i] : 0);
    }
    fact(right, "%s: what goes in comes out, at its sites alone", name);
    vec_copy(w, v);
    vec_axpy(w, -1, v);
    fact(vec_norm2(w) == 0, "%s: a copy is the same", name);
    memory_free(b);
    memory_free(a);
    vec_free(w);
    vec_free(v);
}

/* (1 + e)^2 - (1 + 2e) is e^2 where the multiply-add is fused; a product rounded to the precision has lost it. */
static void fused(const vec *like, const char *name)
{
    const double e = like->f.precision == PRECISION_DOUBLE ? 0x1p-30 : 0x1p-14;
    const double want = like->f.where == PLACE_GPU || version_fused() ? e * e : 0;
    vec *x = random_like(like, 1), *y = random_like(like, 2);
    double *a = memory_alloc(vec_count(x) * sizeof *a, "a vector"), worst = 0;
    for (size_t i = 0; i < vec_count(x); i++)
        a[i] = 1 + e;
    vec_import(x, a);
    for (size_t i = 0; i < vec_count(x); i++)
        a[i] = -(1 + 2 * e);
    vec_import(y, a);
    vec_axpy(y, 1 + e, x);
    double *got = vec_numbers(y), *there = vec_numbers(x);
    for (size_t i = 0; i < vec_count(x); i++)
        worst = worse(worst, fabs(got[i] - (there[i] != 0 ? want : 0)));
    fact(worst == 0, "%s: multiply-adds are fused where kiln version says so, and on the GPU", name);
    memory_free(there);
    memory_free(got);
    memory_free(a);
    vec_free(y);
    vec_free(x);
}

static void parities_of_noise(place where, precision p)
{
    lattice *l = lattice_create_single(extents);
    vec *all = vec_create(l, ON_ALL, where, p), *half = vec_create(l, ON_EVEN, where, p);
    vec_set_gaussian(all, key_of(9), 12);
    double *want = vec_numbers(all);
    size_t met = 0, n = vec_count(all);
    for (int odd = 0; odd < 2; odd++) {
        vec_move_to(half, odd ? ON_ODD : ON_EVEN);
        vec_set_gaussian(half, key_of(9), 12);
        double *got = vec_numbers(half);
        for (size_t i = 0; i < n; i++)
            met += got[i] == want[i];
        memory_free(got);
    }
    fact(met == n, "%s: noise on one parity is that on all sites, there", place_name(where));
    memory_free(want);
    vec_free(half);
    vec_free(all);
    lattice_free(l);
}

static void moments_of_noise(place where)
{
    lattice *l = lattice_create_single((const int[]){ 16, 16, 16, 16 });
    vec *x = vec_create(l, ON_ALL, where, PRECISION_DOUBLE), *y = vec_create(l, ON_ALL, where, PRECISION_DOUBLE);
    double count = 3 * (double)lattice_volume(l), sigma = 1 / sqrt(count);
    vec_set_gaussian(x, key_of(10), 0);
    vec_set_gaussian(y, key_of(10), VECTOR_DRAWS);
    complex_number d = vec_dot(x, y);
    fact_close(vec_norm2(x) / count, 1, 5 * sigma, "%s: a component of noise has <|eta|^2> = 1", place_name(where));
    fact_close(hypot(d.re, d.im) / count, 0, 5 * sigma, "%s: other draws are independent", place_name(where));
    double *a = vec_numbers(x), fourth = 0;
    for (size_t i = 0; i < vec_count(x); i++)
        fourth += pow(a[i], 4) / (double)vec_count(x);
    fact_close(fourth, 0.75, 5 * sqrt(96.0 / 16 / (double)vec_count(x)), "%s: and the fourth moment of a normal number",
               place_name(where));
    memory_free(a);
    vec_free(y);
    vec_free(x);
    lattice_free(l);
}

static void precisions(place where)
{
    lattice *l = lattice_create_single(extents);
    for (parity_set on = ON_EVEN; on <= ON_ALL; on++) {
        vec *d = vec_create(l, on, where, PRECISION_DOUBLE), *s = vec_create(l, on, where, PRECISION_SINGLE);
        vec_set_gaussian(d, key_of(11), 0);
        vec_convert(s, d);
        double *wide = vec_numbers(d), *narrow = vec_numbers(s);
        bool right = true;
        for (size_t i = 0; i < vec_count(d); i++)
            right &= narrow[i] == (double)(float)wide[i];
        fact(right, "%s, %s: single precision is double, rounded", place_name(where), parity_names[on]);
        vec_convert(d, s);
        memory_free(wide);
        wide = vec_numbers(d);
        fact(memcmp(wide, narrow, vec_count(d) * sizeof *wide) == 0, "%s, %s: and double holds single",
             place_name(where), parity_names[on]);
        fact(vec_bytes(lattice_shape_of(l), PRECISION_SINGLE, on) == s->f.bytes, "%s, %s: bytes as planned",
             place_name(where),
             parity_names[on]);
        memory_free(narrow);
        memory_free(wide);
        vec_free(s);
        vec_free(d);
    }
    lattice_free(l);
}

/* One of everything, in a row: a vector and numbers whose bits must be those of the other place. */
static double *chain(lattice *l, parity_set on, place where, precision p, double numbers_out[3])
{
    vec *x = vec_create(l, on, where, p), *y = random_like(x, 2), *z = random_like(x, 3);
    vec_set_gaussian(x, key_of(1), 0);
    numbers_out[0] = vec_axpy_norm2(y, 0.1, x, 1e3);
    vec_axpy(x, 0.2, z);
    const vec_shift_step step = { .x = &x, .p = &z, .a = (const double[]){ 0.4 }, .b = (const double[]){ 0.5 },
                                  .z = (const double[]){ 0.6 }, .count = 1 };
    vec_multishift_update(&step, y);
    vec_xpay(x, y, 0.7);
    vec_combine(y, 0.8, x, (const double[]){ 0.9 }, &z, 1);
    numbers_out[1] = vec_norm2(y);
    numbers_out[2] = vec_dot(x, y).im;
    double *a = vec_numbers(y);
    vec_free(z);
    vec_free(y);
    vec_free(x);
    return a;
}

static void same_bits_everywhere(parity_set on, precision p)
{
    lattice *l = lattice_create_single(extents);
    double *a[PLACES] = { NULL }, n[PLACES][3];
    FOR_EVERY_PLACE(where)
        a[where] = chain(l, on, where, p, n[where]);
    if (a[PLACE_GPU])
        fact(memcmp(a[0], a[1], (size_t)lattice_volume(l) * VEC_REALS * sizeof **a) == 0 &&
             memcmp(n[0], n[1], sizeof n[0]) == 0, "%s, %s: CPU and GPU give the same bits",
             p == PRECISION_DOUBLE ? "double" : "single", parity_names[on]);
    for (int where = 0; where < PLACES; where++)
        memory_free(a[where]);
    lattice_free(l);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        for (precision p = PRECISION_SINGLE; p <= PRECISION_DOUBLE; p++) {
            for (parity_set on = ON_EVEN; on <= ON_ALL; on++) {
                char name[64];
                lattice *l = lattice_create_single(extents);
                vec *like = vec_create(l, on, where, p);
                snprintf(name, sizeof name, "%s, %s, %s", place_name(where),
                         p == PRECISION_DOUBLE ? "double" : "single", parity_names[on]);
                there_and_back(like, name);
                verbs(like, name);
                sums(like, name);
                fused(like, name);
                vec_free(like);
                lattice_free(l);
            }
            parities_of_noise(where, p);
        }
        moments_of_noise(where);
        precisions(where);
    }
    for (precision p = PRECISION_SINGLE; p <= PRECISION_DOUBLE; p++)
        for (parity_set on = ON_EVEN; on <= ON_ALL; on++)
            same_bits_everywhere(on, p);
    return facts_end();
}
