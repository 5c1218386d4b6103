/* test_twisted.c - the twisted mass, without and with a clover term of either form: its definition, symmetries, inverse
 * blocks, determinants, free quarks, every vector format, batches, and the same bits on CPU and GPU; of the symmetric
 * form of Mhat too, with and without a twist. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/clover_operator.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/format_facts.h"
#include "tests/operators/wilson_workplace.h"

#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#define MASS 0.3
#define MU 0.35
#define RHO 0.2

typedef struct { const char *name; clover_kind kind; double c_sw; } form;
static const form forms[] = { { "no clover term", CLOVER_LINEAR, 0 }, { "clover", CLOVER_LINEAR, 1.7 },
                              { "exponential clover", CLOVER_EXPONENTIAL, 1.7 } };
enum { FORMS = sizeof forms / sizeof *forms };
static const int extents[4] = { 4, 2, 6, 4 };

/* symmetric: the links with T_o + i (MU + RHO) gamma5 */
typedef struct {
    wilson_workplace w;
    clover_term *term, *odd;
    clover_links links, symmetric;
    char name[64];
} workplace;

static clover_term *term_of(const wilson_workplace *w, const form *f, double mass, double mu)
{
    clover_term *t = f->c_sw != 0 ? clover_term_create(w->l, w->where, PRECISION_DOUBLE, f->kind, f->c_sw)
                                  : clover_term_create_number(w->l);
    failure why;
    clover_term_twist(t, mu);
    require(clover_term_update(t, w->u, mass, &why), "%s", why.why);
    return t;
}

static workplace begin(place where, const int size[4], const form *f, double width)
{
    workplace p = { .w = wilson_begin(where, size, width, -1) };
    p.term = term_of(&p.w, f, MASS, MU);
    p.links = p.symmetric = (clover_links){ .links = p.w.links, .term = p.term, .rho = RHO };
    failure why;
    p.odd = clover_term_create_odd(p.term);
    clover_term_twist(p.odd, MU + RHO);
    require(clover_term_update(p.odd, p.w.u, MASS, &why), "%s", why.why);
    p.symmetric.odd = p.odd;
    snprintf(p.name, sizeof p.name, "%s, %s", place_name(where), f->name);
    return p;
}

static void end(workplace *p)
{
    clover_term_free(p->odd);
    clover_term_free(p->term);
    wilson_end(&p->w);
}

/* v <- a gamma5 v + b i gamma5 v + c v */
static void rotate_flavors(vec *v, double a, double b, double c)
{
    double *n = vec_numbers(v);
    for (size_t i = 0; i < vec_count(v); i += 2) {
        const double sign = i / 6 % 4 < 2 ? 1 : -1, re = n[i], im = n[i + 1];
        n[i] = sign * (a * re - b * im) + c * re;
        n[i + 1] = sign * (a * im + b * re) + c * im;
    }
    vec_import(v, n);
    memory_free(n);
}

static void turn_field(spinor_field v, double a, double b, double c)
{
    rotate_flavors(v.even, a, b, c);
    rotate_flavors(v.odd, a, b, c);
}

static double field_apart(spinor_field a, spinor_field b)
{
    spinor_field_axpy(a, -1, b);
    return sqrt(spinor_field_norm2(a) / spinor_field_norm2(b));
}

static double apart(vec *a, const vec *b)
{
    vec_axpy(a, -1, b);
    return sqrt(vec_norm2(a) / vec_norm2(b));
}

/* ---- the definition: i mu gamma5 on all sites, rho on odd ones */

static void definition(place where, const form *f)
{
    workplace p = begin(where, extents, f, 1.2);
    clover_term *plain = term_of(&p.w, f, MASS, 0);
    spinor_field want = spinor_field_create(p.w.u, 1);
    for (int dagger = 0; dagger < 2; dagger++) {
        const double sign = dagger ? -1 : 1;
        wilson_set_random(p.w.v, 1);
        clover_apply(want, (clover_links){ .links = p.w.links, .term = plain }, dagger, p.w.v);
        clover_apply(p.w.out, p.links, dagger, p.w.v);
        rotate_flavors(p.w.v.even, 0, sign * MU, 0);
        rotate_flavors(p.w.v.odd, 0, sign * (MU + RHO), 0);
        spinor_field_axpy(want, 1, p.w.v);
        fact_close(field_apart(p.w.out, want), 0, 1e-15, "%s: M%s has %si mu gamma5, and rho on odd sites", p.name,
                   dagger ? "^+" : "", dagger ? "-" : "+");
    }
    spinor_field_free(want);
    clover_term_free(plain);
    end(&p);
}

/* At mu = 0, rho is added to Mhat^+ Mhat as a square. */
static void regulator(place where, const form *f)
{
    workplace p = begin(where, extents, f, 1.2);
    clover_term *plain = term_of(&p.w, f, MASS, 0);
    const clover_links with = { .links = p.w.links, .term = plain, .rho = RHO },
                       without = { .links = p.w.links, .term = plain };
    wilson_set_random(p.w.v, 2);
    clover_mhat(p.w.odd, with, false, p.w.v.odd, p.w.even);
    clover_mhat(p.w.out.odd, with, true, p.w.odd, p.w.even);
    clover_mhat(p.w.odd, without, false, p.w.v.odd, p.w.even);
    vec *want = vec_create_like(p.w.odd);
    clover_mhat(want, without, true, p.w.odd, p.w.even);
    vec_axpy(want, RHO * RHO, p.w.v.odd);
    fact_close(apart(p.w.out.odd, want), 0, 1e-14, "%s: mu = 0: Mhat^+ Mhat + rho^2", p.name);
    vec_free(want);
    clover_term_free(plain);
    end(&p);
}

/* ---- symmetries */

static double distance(complex_number a, complex_number b)
{
    return hypot(a.re - b.re, a.im + b.im);
}

/* gamma5 M(mu) gamma5 = M(-mu)^+, also of Mhat; and M^+ is the adjoint. */
static void adjoints(place where, const form *f)
{
    workplace p = begin(where, extents, f, 1.2);
    clover_term *minus = term_of(&p.w, f, MASS, -MU);
    const clover_links opposite = { .links = p.w.links, .term = minus, .rho = -RHO };
    spinor_field a = spinor_field_create(p.w.u, 1), after = spinor_field_create(p.w.u, 1);
    wilson_set_random(p.w.v, 1);
    wilson_set_random(a, 2);
    clover_apply(p.w.out, p.links, false, p.w.v);
    clover_apply(after, p.links, true, a);
    const double size = sqrt(spinor_field_norm2(p.w.out) * spinor_field_norm2(a));
    fact_close(distance(spinor_field_dot(a, p.w.out), spinor_field_dot(p.w.v, after)) / size, 0, 1e-14,
               "%s: <a, M b> = <M^+ a, b>", p.name);
    clover_mhat(p.w.out.odd, p.links, false, p.w.v.odd, p.w.even);
    clover_mhat(after.odd, p.links, true, a.odd, p.w.even);
    fact_close(distance(vec_dot(a.odd, p.w.out.odd), vec_dot(p.w.v.odd, after.odd)) / size, 0, 1e-14,
               "%s: <a, Mhat b> = <Mhat^+ a, b>", p.name);
    clover_mhat(p.w.out.odd, p.symmetric, false, p.w.v.odd, p.w.even);
    clover_mhat(after.odd, p.symmetric, true, a.odd, p.w.even);
    fact_close(distance(vec_dot(a.odd, p.w.out.odd), vec_dot(p.w.v.odd, after.odd)) / size, 0, 1e-14,
               "%s: <a, Mhat b> = <Mhat^+ a, b> in the symmetric form", p.name);
    clover_apply(p.w.out, p.links, false, p.w.v);
    clover_mhat(p.w.odd, p.links, false, p.w.v.odd, p.w.even);
    turn_field(p.w.out, 1, 0, 0);
    rotate_flavors(p.w.odd, 1, 0, 0);
    turn_field(p.w.v, 1, 0, 0);
    clover_apply(after, opposite, true, p.w.v);
    fact_close(field_apart(p.w.out, after), 0, 1e-14, "%s: gamma5 M(mu) gamma5 = M(-mu)^+", p.name);
    clover_mhat(after.odd, opposite, true, p.w.v.odd, p.w.even);
    fact_close(apart(p.w.odd, after.odd), 0, 1e-14, "%s: gamma5 Mhat(mu) gamma5 = Mhat(-mu)^+", p.name);
    spinor_field_free(a);
    spinor_field_free(after);
    clover_term_free(minus);
    end(&p);
}

/* T_o + i (mu + rho) gamma5 times the symmetric Mhat is the asymmetric one. */
static void two_forms(place where, const form *f)
{
    workplace p = begin(where, extents, f, 1.2);
    wilson_set_random(p.w.v, 5);
    clover_mhat(p.w.odd, p.links, false, p.w.v.odd, p.w.even);
    clover_mhat(p.w.out.odd, p.symmetric, false, p.w.v.odd, p.w.even);
    clover_diagonal(p.w.out.odd, p.links, p.w.out.odd);
    fact_close(apart(p.w.out.odd, p.w.odd), 0, 1e-14, "%s: the symmetric form is divided by its block", p.name);
    end(&p);
}

static void inverse(place where, const form *f)
{
    workplace p = begin(where, extents, f, 1.2);
    wilson_set_random(p.w.v, 3);
    for (int adjoint = 0; adjoint <= CLOVER_ADJOINT; adjoint += CLOVER_ADJOINT) {
        clover_multiply(p.w.out.even, p.term, CLOVER_T + adjoint, p.w.v.even, 0, NULL);
        clover_multiply(p.w.out.even, p.term, CLOVER_INVERSE + adjoint, p.w.out.even, 0, NULL);
        fact_close(apart(p.w.out.even, p.w.v.even), 0, 1e-14, "%s: the inverse of T + i mu gamma5%s", p.name,
                   adjoint ? ", adjoint" : "");
    }
    spinor_field x = spinor_field_create(p.w.u, 1);
    wilson_set_random(x, 4);
    clover_apply(p.w.v, p.links, false, x);
    clover_prepare(p.w.out.odd, p.links, p.w.v, p.w.even);
    clover_mhat(p.w.odd, p.links, false, x.odd, p.w.even);
    fact_close(apart(p.w.odd, p.w.out.odd), 0, 1e-14, "%s: Mhat x_o is what clover_prepare makes of M x", p.name);
    clover_reconstruct(p.w.out, p.links, p.w.v, x.odd);
    fact_close(field_apart(p.w.out, x), 0, 1e-14, "%s: clover_reconstruct gives x", p.name);
    clover_prepare(p.w.out.odd, p.symmetric, p.w.v, p.w.even);
    clover_mhat(p.w.odd, p.symmetric, false, x.odd, p.w.even);
    fact_close(apart(p.w.odd, p.w.out.odd), 0, 1e-14, "%s: the same in the symmetric form", p.name);
    spinor_field_free(x);
    end(&p);
}

/* ---- dense matrices: log |det M| = log |det (T_e + i mu gamma5)| + log |det Mhat|, and in the symmetric form
 * + log |det (T_o + i (mu + rho) gamma5)| */

typedef void apply_to(const workplace *p, spinor_field out, spinor_field in);

static void apply_m(const workplace *p, spinor_field out, spinor_field in)
{
    clover_apply(out, p->links, false, in);
}

/* Mhat, and 1 on even sites */
static void apply_mhat(const workplace *p, spinor_field out, spinor_field in)
{
    clover_mhat(out.odd, p->links, false, in.odd, p->w.even);
    vec_copy(out.even, in.even);
}

static void apply_symmetric(const workplace *p, spinor_field out, spinor_field in)
{
    clover_mhat(out.odd, p->symmetric, false, in.odd, p->w.even);
    vec_copy(out.even, in.even);
}

static double log_det_of(workplace *p, apply_to *apply)
{
    const size_t count = vec_count(p->w.v.even) / 2;
    gsl_matrix_complex *m = gsl_matrix_complex_alloc(count, count);
    gsl_permutation *order = gsl_permutation_alloc(count);
    double *unit = memory_alloc(2 * count * sizeof *unit, "a unit vector");
    int sign;
    for (size_t j = 0; j < count; j++) {
        unit[2 * j] = 1;
        vec_import(p->w.v.even, unit);
        vec_import(p->w.v.odd, unit);
        unit[2 * j] = 0;
        apply(p, p->w.out, p->w.v);
        double complex *column = wilson_numbers(p->w.out);
        for (size_t i = 0; i < count; i++)
            gsl_matrix_complex_set(m, i, j, gsl_complex_rect(creal(column[i]), cimag(column[i])));
        memory_free(column);
    }
    gsl_linalg_complex_LU_decomp(m, order, &sign);
    const double log_det = gsl_linalg_complex_LU_lndet(m);
    gsl_permutation_free(order);
    gsl_matrix_complex_free(m);
    memory_free(unit);
    return log_det;
}

static void determinants(place where, const form *f)
{
    workplace p = begin(where, (const int[]){ 2, 2, 2, 2 }, f, 1.2);
    const double all = log_det_of(&p, apply_m), odd = log_det_of(&p, apply_mhat);
    fact_close((p.term->log_det + odd) / all - 1, 0, 1e-13, "%s: det M = det (T_e + i mu gamma5) det Mhat", p.name);
    fact_close((p.term->log_det + p.odd->log_det + log_det_of(&p, apply_symmetric)) / all - 1, 0, 1e-13,
               "%s: in the symmetric form times det (T_o + i (mu + rho) gamma5)", p.name);
    end(&p);
}

/* ---- free quarks */

/* M^+ M of a plane wave is (m + sum (1 - cos p))^2 + sum sin^2 p + mu^2; log det T is that of 4 + m + i mu. */
static void free_quarks(place where, const form *f)
{
    static const int size[4] = { 4, 2, 6, 4 }, n[4] = { 1, 1, 2, 1 };
    workplace p = begin(where, size, f, 0);
    const clover_links links = { .links = p.w.links, .term = p.term };
    double *wave = vec_numbers(p.w.v.even), angle[4], mass = MASS, square = MU * MU;
    for (int mu = 0; mu < 4; mu++) {
        angle[mu] = M_PI * (2 * n[mu] + (mu == 3)) / size[mu];          /* antiperiodic in t */
        mass += 1 - cos(angle[mu]);
        square += sin(angle[mu]) * sin(angle[mu]);
    }
    for (size_t i = 0; i < vec_count(p.w.v.even); i += 2) {
        size_t at = i / 24;
        double phase = 0;
        for (int mu = 0; mu < 4; mu++, at /= (size_t)size[mu - 1])
            phase += angle[mu] * (double)(at % (size_t)size[mu]);
        const double amplitude = 1 + 0.3 * (double)(i / 2 % 12);
        wave[i] = amplitude * cos(phase);
        wave[i + 1] = amplitude * sin(phase);
    }
    vec_import(p.w.v.even, wave);
    vec_import(p.w.v.odd, wave);
    spinor_field twice = spinor_field_create(p.w.u, 1);
    clover_apply(p.w.out, links, false, p.w.v);
    clover_apply(twice, links, true, p.w.out);
    spinor_field_axpy(twice, -(mass * mass + square), p.w.v);
    fact_close(sqrt(spinor_field_norm2(twice) / spinor_field_norm2(p.w.v)), 0, 1e-13,
               "%s: unit links: M^+ M of a plane wave", p.name);
    fact_close(p.term->log_det / (12 * 96 * log(hypot(4 + MASS, MU))) - 1, 0, 1e-13,
               "%s: unit links: the determinant of T_e + i mu gamma5", p.name);
    spinor_field_free(twice);
    memory_free(wave);
    end(&p);
}

/* ---- as a dirac_operator: formats and batches against C^+C in double */

typedef struct {
    linop base;
    dirac_operator *d;
    dirac_matrix *m;
    vec *between, *work[DIRAC_WORK_VECTORS];
} twice;

static void apply_twice(const linop *a, vec *out, double shift, const vec *in)
{
    const twice *t = (const twice *)a;
    t->d->kind->apply(t->between, t->d, t->m, false, in, t->work);
    t->d->kind->apply(out, t->d, t->m, true, t->between, t->work);
    vec_axpy(out, shift, in);
}

static dirac_operator *operator_on(const wilson_workplace *w, const form *f, clover_form of)
{
    clover_operator_params params = { .boundary.t = -1, .c_sw = f->c_sw, .kind = f->kind, .form = of };
    const quark_mass masses[] = { { MASS, { 0, 0 } }, { MASS, { MU, 0 } }, { MASS, { MU, RHO } }, { MASS, { MU, 0 } } };
    for (int n = 0; n < 4; n++)
        fact(clover_operator_add_matrix(&params, masses[n]) == n % 3 + n / 3, "a mass with a twist has one index");
    fact(params.masses == 2 && params.odd_masses == 3, "mu makes two of a mass, rho one more on odd sites");
    const dirac_plan plan = clover_operator_plan(&params);
    return dirac_create(&plan, w->u, false);
}

typedef struct { clover_form form; enum { UNTWISTED, TWISTED, WITH_RHO } matrix; } matrix_kind;
static const matrix_kind matrices[] = { { CLOVER_ASYMMETRIC, WITH_RHO }, { CLOVER_SYMMETRIC, WITH_RHO },
                                        { CLOVER_SYMMETRIC, UNTWISTED } };
enum { MATRICES = sizeof matrices / sizeof *matrices };

static void formats(place where, const form *f, const matrix_kind *of, const batch_kind *kind, double **on_cpu)
{
    wilson_workplace w = wilson_begin(where, extents, 1.2, -1);
    const vec_storage in = { kind->format, kind->precision };
    vec *work[BATCH_MAX_RHS][DIRAC_WORK_VECTORS];
    dirac_operator *d = operator_on(&w, f, of->form);
    failure why;
    d->kind->open(d, in);
    require(dirac_update(d, w.u, &why), "%s", why.why);
    for (int n = 0; n < BATCH_MAX_RHS; n++)
        for (int k = 0; k < d->kind->work_vectors; k++)
            work[n][k] = format_vec_create(kind, w.l, d->kind->work[k], where, 1);
    dirac_matrix *m = d->kind->matrix(d, of->matrix);
    linop *op = d->kind->normal(d, in, m, (vec *const (*)[DIRAC_WORK_VECTORS])work, BATCH_MAX_RHS);
    const twice exact = { .base = { .apply = apply_twice }, .d = d, .m = m, .between = w.odd,
                          .work = { w.even, w.out.odd } };
    const format_task task = { .op = op, .exact = &exact.base, .kind = kind, .lattice = w.l, .where = where, .Ls = 1 };
    format_facts(&task, on_cpu);
    memory_free(op);
    memory_free(m);
    for (int n = 0; n < BATCH_MAX_RHS; n++)
        for (int k = 0; k < d->kind->work_vectors; k++)
            vec_free(work[n][k]);
    dirac_free(d);
    wilson_end(&w);
}

int main(void)
{
    double *on_cpu[FORMS][MATRICES][BATCH_KINDS] = { { { NULL } } };
    FOR_EVERY_PLACE(where)
        for (int n = 0; n < FORMS; n++) {
            definition(where, &forms[n]);
            regulator(where, &forms[n]);
            adjoints(where, &forms[n]);
            two_forms(where, &forms[n]);
            inverse(where, &forms[n]);
            determinants(where, &forms[n]);
            free_quarks(where, &forms[n]);
            for (int m = 0; m < MATRICES; m++)
                for (int k = 0; k < BATCH_KINDS; k++)
                    formats(where, &forms[n], &matrices[m], &batch_kinds[k], &on_cpu[n][m][k]);
        }
    for (int n = 0; n < FORMS * MATRICES; n++)
        for (int k = 0; k < BATCH_KINDS; k++)
            memory_free(on_cpu[n / MATRICES][n % MATRICES][k]);
    return facts_end();
}
