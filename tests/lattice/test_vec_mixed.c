/* test_vec_mixed.c - the verbs of solvers in mixed precision, against the same done on the host. */
#include "src/lattice/vec_mixed.h"

#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_steps.h"
#include "tests/facts.h"
#include "tests/lattice/vec_sums.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const int extents[4] = { 4, 6, 2, 6 };

static vec *random_like(const vec *v, unsigned n)
{
    vec *r = vec_create_like(v);
    vec_set_gaussian(r, rng_key_for(74, 0, n, RNG_TEST), 0);
    return r;
}

static void residuals(const vec *like, const char *name)
{
    const size_t n = vec_count(like);
    vec *r = random_like(like, 1), *q = random_like(like, 2);
    double *before = vec_numbers(r), *with = vec_numbers(q), worst = 0, norm2 = 0, change = 0;
    residual_sums s = vec_residual_update(r, -0.7, q, 1);
    double *after = vec_numbers(r);
    for (size_t i = 0; i < n; i++) {
        worst = worse(worst, fabs(after[i] - (before[i] - 0.7 * with[i])));
        norm2 += after[i] * after[i];
        change += after[i] * (after[i] - before[i]);
    }
    fact_close(worst, 0, 10 * vec_rounding(like), "%s: r + a q", name);
    fact_close(s.norm2 / norm2, 1, 1e-6, "%s: |r|^2 of what is stored", name);
    fact_close(s.change / norm2, change / norm2, 1e-6, "%s: and <r, r - r before>", name);
    double off = 0;
    for (int e = -50; e <= 50; e += 25) {                    /* what is guessed may be wrong */
        vec *again = random_like(like, 1);
        residual_sums t = vec_residual_update(again, -0.7, q, ldexp(s.norm2, 2 * e));
        off = worse(off, worse(fabs(t.norm2 / s.norm2 - 1), fabs(t.change - s.change) / s.norm2));
        vec_free(again);
    }
    fact_close(off, 0, 10 * vec_rounding(like), "%s: whatever is guessed of it", name);
    memory_free(after);
    memory_free(with);
    memory_free(before);
    vec_free(q);
    vec_free(r);
}

static void directions(const vec *like, const char *name)
{
    const complex_number u = { 0.8, -0.3 };
    const size_t n = vec_count(like);
    vec *r = random_like(like, 1), *from = random_like(like, 2), *p = random_like(like, 3);
    double *a = vec_numbers(r), *b = vec_numbers(from), worst = 0;
    vec_direction(p, u, r, 0.4, from);
    double *c = vec_numbers(p);
    for (size_t i = 0; i < n; i += 2) {
        worst = worse(worst, fabs(c[i] - (u.re * a[i] - u.im * a[i + 1] + 0.4 * b[i])));
        worst = worse(worst, fabs(c[i + 1] - (u.re * a[i + 1] + u.im * a[i] + 0.4 * b[i + 1])));
    }
    fact_close(worst, 0, 10 * vec_rounding(like), "%s: u r + b p", name);
    vec_direction(from, u, r, 0.4, from);
    double *in_place = vec_numbers(from);
    fact(memcmp(in_place, c, n * sizeof *c) == 0, "%s: in place too", name);
    memory_free(in_place);
    memory_free(c);
    memory_free(b);
    memory_free(a);
    vec_free(p);
    vec_free(from);
    vec_free(r);
}

static void relaxed(const vec *like, const char *name)
{
    const complex_number u = { 0.8, -0.3 };
    const size_t n = vec_count(like);
    vec *x = random_like(like, 1), *b = random_like(like, 2), *q = random_like(like, 3);
    double *before = vec_numbers(x), *of_b = vec_numbers(b), *of_q = vec_numbers(q), worst = 0;
    vec_relax(x, u, b, q);
    double *after = vec_numbers(x);
    for (size_t i = 0; i < n; i += 2) {
        const double re = of_b[i] - of_q[i], im = of_b[i + 1] - of_q[i + 1];
        worst = worse(worst, fabs(after[i] - (before[i] + u.re * re - u.im * im)));
        worst = worse(worst, fabs(after[i + 1] - (before[i + 1] + u.re * im + u.im * re)));
    }
    fact_close(worst, 0, 15 * vec_rounding(like), "%s: x + u (b - q)", name);
    memory_free(before);
    memory_free(of_b);
    memory_free(of_q);
    memory_free(after);
    vec_free(x);
    vec_free(b);
    vec_free(q);
}

static void sums(const vec *like, precision high, const char *name)
{
    const field *f = &like->f;
    const size_t n = (size_t)lattice_volume(f->lattice) * VEC_REALS;
    vec *y = vec_create(f->lattice, f->on, f->where, high), *v[GATHER_MAX];
    double c[GATHER_MAX], worst = 0;
    vec_set_gaussian(y, rng_key_for(74, 0, 9, RNG_TEST), 0);
    double *want = vec_numbers(y);
    for (int k = 0; k < GATHER_MAX; k++) {
        v[k] = random_like(like, (unsigned)(20 + k));
        c[k] = 0.3 - 0.07 * k;
        double *one = vec_numbers(v[k]);
        for (size_t i = 0; i < n; i++)
            want[i] += c[k] * one[i];
        memory_free(one);
    }
    vec_gather(y, c, v, GATHER_MAX);
    double *got = vec_numbers(y);
    for (size_t i = 0; i < n; i++)
        worst = worse(worst, fabs(got[i] - want[i]));
    fact_close(worst, 0, high == PRECISION_DOUBLE ? 1e-14 : 1e-6, "%s: sums in %s lose nothing of it", name,
               high == PRECISION_DOUBLE ? "double" : "single");
    vec_gather(y, c, v, 0);
    double *same = vec_numbers(y);
    fact(memcmp(same, got, n * sizeof *got) == 0, "%s: a sum of none changes nothing", name);
    memory_free(same);
    memory_free(got);
    memory_free(want);
    for (int k = 0; k < GATHER_MAX; k++)
        vec_free(v[k]);
    vec_free(y);
}

/* More vectors than one launch takes. */
static void projections(const vec *like, const char *name)
{
    enum { COUNT = GATHER_MAX + 3 };
    const size_t n = vec_count(like);
    vec *y = random_like(like, 1), *v[COUNT];
    complex_number c[COUNT];
    double *want = vec_numbers(y), worst = 0;
    for (size_t i = 0; i < n; i++)
        want[i] *= 0.7;
    for (int k = 0; k < COUNT; k++) {
        v[k] = random_like(like, (unsigned)(20 + k));
        c[k] = (complex_number){ 0.3 - 0.07 * k, 0.1 * k - 0.4 };
        double *one = vec_numbers(v[k]);
        for (size_t i = 0; i < n; i += 2) {
            want[i] += c[k].re * one[i] - c[k].im * one[i + 1];
            want[i + 1] += c[k].re * one[i + 1] + c[k].im * one[i];
        }
        memory_free(one);
    }
    vec_project(y, 0.7, c, v, COUNT);
    double *got = vec_numbers(y);
    for (size_t i = 0; i < n; i++)
        worst = worse(worst, fabs(got[i] - want[i]));
    fact_close(worst, 0, 200 * vec_rounding(like), "%s: a y and complex multiples of %d vectors", name, (int)COUNT);
    memory_free(got);
    memory_free(want);
    for (int k = 0; k < COUNT; k++)
        vec_free(v[k]);
    vec_free(y);
}

static void verbs(vec *like, place where, const char *format)
{
    char name[64];
    snprintf(name, sizeof name, "%s, %s, %s", place_name(where), format, like->f.on == ON_EVEN ? "even" : "odd");
    residuals(like, name);
    directions(like, name);
    relaxed(like, name);
    if (like->format == VECTOR_NATIVE)
        projections(like, name);
    sums(like, PRECISION_SINGLE, name);
    sums(like, PRECISION_DOUBLE, name);
    vec_free(like);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        lattice *l = lattice_create_single(extents);
        for (parity_set on = ON_EVEN; on <= ON_ODD; on++) {
            verbs(vec_create(l, on, where, PRECISION_SINGLE), where, "single");
            verbs(vec_create(l, on, where, PRECISION_DOUBLE), where, "double");
            for (vector_format f = VECTOR_HALF; f < VECTOR_FORMATS; f++)
                verbs(vec_create_format(l, on, where, f), where, vector_format_names[f]);
        }
        lattice_free(l);
    }
    return facts_end();
}
