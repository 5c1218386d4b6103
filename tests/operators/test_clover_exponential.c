/* test_clover_exponential.c - the exponential clover term: T and its inverse against the power series of the linear
 * term, its determinant, its derivative against differences, whatever its size. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/clover_force.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dwf_forces.h"
#include "tests/operators/link_fields.h"
#include "tests/operators/wilson_workplace.h"

#include <math.h>
#include <string.h>

static const int extents[4] = { 4, 2, 6, 4 };

/* From a small exponent to one whose series has its largest term behind the first. */
static const struct { double mass, c_sw; } rows[] = { { 0.2, 1 }, { -0.4, 3 }, { -3, 5 } };
enum { ROWS = sizeof rows / sizeof *rows, SERIES = 80 };

typedef struct { wilson_workplace w; clover_term *linear, *exponential; double mass; } terms;

static terms terms_begin(place where, int row)
{
    terms t = { .w = wilson_begin(where, extents, 1.2, -1), .mass = rows[row].mass };
    failure why;
    t.linear = clover_term_create(t.w.l, where, PRECISION_DOUBLE, CLOVER_LINEAR, rows[row].c_sw);
    t.exponential = clover_term_create(t.w.l, where, PRECISION_DOUBLE, CLOVER_EXPONENTIAL, rows[row].c_sw);
    require(clover_term_update(t.linear, t.w.u, t.mass, &why), "%s", why.why);
    require(clover_term_update(t.exponential, t.w.u, t.mass, &why), "%s", why.why);
    wilson_set_random(t.w.v, 3);
    return t;
}

static void terms_end(terms *t)
{
    clover_term_free(t->exponential);
    clover_term_free(t->linear);
    wilson_end(&t->w);
}

/* out <- (4 + m) exp(s c_sw A / (4 + m)) in, term by term; returns the largest |term|^2 over |in|^2. */
static double series(vec *out, const terms *t, double s, const vec *in)
{
    const double diagonal = 4 + t->mass, size = vec_norm2(in);
    vec *power = vec_create_like(in);
    double largest = 1;
    vec_copy(power, in);
    vec_zero(out);
    vec_axpy(out, diagonal, in);
    for (int k = 1; k < SERIES; k++) {
        vec *next = vec_create_like(in);
        clover_multiply(next, t->linear, CLOVER_T, power, -diagonal, power);       /* c_sw A power */
        vec_zero(power);
        vec_axpy(power, s / (diagonal * k), next);
        vec_axpy(out, diagonal, power);
        largest = worse(largest, vec_norm2(power) / size);
        vec_free(next);
    }
    vec_free(power);
    return largest;
}

static double apart(const vec *a, vec *b)
{
    const double size = vec_norm2(a);
    vec_axpy(b, -1, a);
    return sqrt(vec_norm2(b) / size);
}

static void definition(place where, int row)
{
    terms t = terms_begin(where, row);
    const double diagonal = 4 + t.mass;
    for (int odd = 0; odd < 2; odd++) {
        vec *in = odd ? t.w.v.odd : t.w.v.even, *want = odd ? t.w.out.odd : t.w.out.even,
            *found = odd ? t.w.odd : t.w.even;
        const double largest = series(want, &t, 1, in);
        clover_multiply(found, t.exponential, CLOVER_T, in, 0, NULL);
        fact_close(apart(want, found), 0, 1e-14, "%s, m = %g, c_sw = %g, %s sites: T is the exponential (largest "
                   "term %.3g)", place_name(where), t.mass, rows[row].c_sw, odd ? "odd" : "even", sqrt(largest));
    }
    vec *product = vec_create_like(t.w.even);
    series(t.w.out.even, &t, -1, t.w.v.even);
    vec_zero(t.w.even);
    vec_axpy(t.w.even, 1 / (diagonal * diagonal), t.w.out.even);
    clover_multiply(product, t.exponential, CLOVER_INVERSE, t.w.v.even, 0, NULL);
    fact_close(apart(product, t.w.even), 0, 1e-12, "%s: T_e^-1 is that of the negative exponent", place_name(where));
    vec_copy(t.w.even, product);
    clover_multiply(product, t.exponential, CLOVER_T, t.w.even, 0, NULL);
    fact_close(apart(t.w.v.even, product), 0, 1e-11, "%s: and the inverse", place_name(where));
    fact_close(t.exponential->log_det - 6 * (double)lattice_volume(t.w.l) * log(diagonal), 0, 1e-11,
               "%s: log det T_e is that of 4 + m", place_name(where));
    vec_free(product);
    terms_end(&t);
}

/* ---- the force */

typedef struct { terms *t; vec *x, *y; } pair;

/* 2 Re y^+ Mhat x at links u */
static double value_on(const pair *p, const gauge *u)
{
    failure why;
    const wilson_workplace *w = &p->t->w;
    require(hop_links_update(w->links, u, &why) && clover_term_update(p->t->exponential, u, p->t->mass, &why), "%s",
            why.why);
    clover_mhat(w->odd, (clover_links){ .links = w->links, .term = p->t->exponential }, false, p->x, w->even);
    return 2 * vec_dot(p->y, w->odd).re;
}

static double difference(const pair *p, const momentum *direction, double h)
{
    double s[2];
    gauge *moved = gauge_create(p->t->w.l, p->t->w.where, PRECISION_DOUBLE);
    for (int n = 0; n < 2; n++) {
        gauge_copy(moved, p->t->w.u);
        gauge_drift(moved, n ? h : -h, direction);
        s[n] = value_on(p, moved);
    }
    gauge_free(moved);
    return (s[1] - s[0]) / (2 * h);
}

static double *force_on(const pair *p)
{
    const wilson_workplace *w = &p->t->w;
    const double c = 1;
    clover_force *f = clover_force_create(w->u, CLOVER_ASYMMETRIC);
    momentum *force = momentum_create(w->l, w->where, PRECISION_DOUBLE);
    sum_array size = sums_create(w->l, w->where, 1, 1);
    value_on(p, w->u);
    clover_force_begin(f);
    clover_force_add(f, (clover_links){ .links = w->links, .term = p->t->exponential },
                     (hop_force_terms){ .count = 1, .c = &c, .y = &p->y, .x = &p->x });
    clover_force_add_log_det(f, p->t->exponential, -2);
    clover_force_finish(f, w->u, force, 1, size.cells);
    double *numbers = momentum_matrices(force);
    sums_free(&size);
    momentum_free(force);
    clover_force_free(f);
    return numbers;
}

/* Differences at h and h/10 are off by 100 to 1, and to fourth order not at all. */
static void derivative(place where, int row, double **first)
{
    const double h = 2e-3;
    terms t = terms_begin(where, row);
    pair p = { &t, vec_create_like(t.w.odd), vec_create_like(t.w.odd) };
    momentum *direction = momentum_create(t.w.l, where, PRECISION_DOUBLE);
    vec_set_gaussian(p.x, rng_key_for(21, 0, 0, RNG_TEST), 0);
    vec_set_gaussian(p.y, rng_key_for(22, 0, 0, RNG_TEST), 0);
    momentum_set_gaussian(direction, rng_key_for(23, 0, 0, RNG_MOMENTA));
    double *force = force_on(&p), *along = momentum_matrices(direction);
    const double want = -links_product(t.w.l, along, force), coarse = difference(&p, direction, h),
                 fine = difference(&p, direction, h / 10),
                 scale = sqrt(links_product(t.w.l, along, along) * links_product(t.w.l, force, force));
    fact_close((coarse - want) / (fine - want), 100, 2, "%s, m = %g, c_sw = %g: differences of the action are off its "
               "force by O(h^2)", place_name(where), t.mass, rows[row].c_sw);
    fact_close(((100 * fine - coarse) / 99 - want) / scale, 0, 1e-9, "%s: extrapolated they are the force",
               place_name(where));
    if (!*first)
        *first = force;
    else {
        fact(memcmp(force, *first, link_numbers(t.w.l) * sizeof *force) == 0, "bit for bit as on the CPU");
        memory_free(force);
    }
    memory_free(along);
    momentum_free(direction);
    vec_free(p.y);
    vec_free(p.x);
    terms_end(&t);
}

static void refused(place where)
{
    wilson_workplace w = wilson_begin(where, extents, 1.2, -1);
    clover_term *t = clover_term_create(w.l, where, PRECISION_DOUBLE, CLOVER_EXPONENTIAL, 1);
    failure why = { .why = "" };
    fact(!clover_term_update(t, w.u, -4, &why) && strstr(why.why, "T is 0") && t->version == 0,
         "%s: m = -4 has no exponential (%s)", place_name(where), why.why);
    clover_term_free(t);
    wilson_end(&w);
}

int main(void)
{
    double *first[ROWS] = { NULL };
    FOR_EVERY_PLACE(where) {
        for (int row = 0; row < ROWS; row++) {
            definition(where, row);
            derivative(where, row, &first[row]);
        }
        refused(where);
    }
    for (int row = 0; row < ROWS; row++)
        memory_free(first[row]);
    return facts_end();
}
