/* test_doublet.c - a non-degenerate doublet of twisted-mass quarks, without and with a clover term of either form, and
 * its limits, as dense matrices on 2^4: its definition with tau3 and tau1, its symmetries and its determinant. */
#include "src/base/memory.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dense_operator.h"
#include "tests/operators/doublet_workplace.h"
#include "tests/operators/format_facts.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

enum { FLAVORS = DOUBLET_FLAVORS };
static const int tiny[4] = { 2, 2, 2, 2 };

/* ---- dense matrices, [flavor][site][spin][color] on all sites */

typedef void apply_to(doublet_workplace *p, spinor_field out, spinor_field in);

static gsl_matrix_complex *dense_of(doublet_workplace *p, apply_to *apply, spinor_field v, spinor_field out)
{
    const size_t count = vec_count(v.even) / 2;
    gsl_matrix_complex *m = gsl_matrix_complex_alloc(count, count);
    double *unit = memory_alloc(2 * count * sizeof *unit, "a unit vector");
    for (size_t j = 0; j < count; j++) {
        unit[2 * j] = 1;
        vec_import(v.even, unit);
        vec_import(v.odd, unit);
        unit[2 * j] = 0;
        apply(p, out, v);
        double complex *column = wilson_numbers(out);
        for (size_t i = 0; i < count; i++)
            gsl_matrix_complex_set(m, i, j, gsl_complex_rect(creal(column[i]), cimag(column[i])));
        memory_free(column);
    }
    memory_free(unit);
    return m;
}

static void apply_d(doublet_workplace *p, spinor_field out, spinor_field in)
{
    p->d->kind->apply_all(out, p->d, p->m, false, in, p->work);
}

static void apply_d_dagger(doublet_workplace *p, spinor_field out, spinor_field in)
{
    p->d->kind->apply_all(out, p->d, p->m, true, in, p->work);
}

/* C, and 1 on even sites */
static void apply_c(doublet_workplace *p, spinor_field out, spinor_field in)
{
    p->d->kind->apply(out.odd, p->d, p->m, false, in.odd, p->scratch);
    vec_copy(out.even, in.even);
}

static void apply_c_dagger(doublet_workplace *p, spinor_field out, spinor_field in)
{
    p->d->kind->apply(out.odd, p->d, p->m, true, in.odd, p->scratch);
    vec_copy(out.even, in.even);
}

/* One flavor, without and with a twisted mass */
static clover_term *term_of(const doublet_workplace *p, double mu)
{
    const doublet_operator_params *q = &p->params;
    clover_term *t = q->c_sw != 0 ? clover_term_create(p->w.l, p->w.where, PRECISION_DOUBLE, q->kind, q->c_sw)
                                  : clover_term_create_number(p->w.l);
    failure why;
    clover_term_twist(t, mu);
    require(clover_term_update(t, p->w.u, DOUBLET_MASS, &why), "%s", why.why);
    return t;
}

static void apply_one_flavor(doublet_workplace *p, spinor_field out, spinor_field in)
{
    clover_term *t = term_of(p, 0);
    clover_apply(out, (clover_links){ .links = p->w.links, .term = t }, false, in);
    clover_term_free(t);
}

static void apply_twisted(doublet_workplace *p, spinor_field out, spinor_field in)
{
    clover_term *t = term_of(p, p->params.matrix[0].mus.sigma);
    clover_apply(out, (clover_links){ .links = p->w.links, .term = t }, false, in);
    clover_term_free(t);
}

typedef struct { double complex m[FLAVORS][FLAVORS]; } flavor_matrix;

static const flavor_matrix tau1 = { { { 0, 1 }, { 1, 0 } } }, tau3 = { { { 1, 0 }, { 0, -1 } } };

static double gamma5_of(size_t i)
{
    return i / 3 % 4 < 2 ? 1 : -1;
}

static void add(gsl_matrix_complex *d, size_t i, size_t j, double complex z)
{
    gsl_matrix_complex_set(d, i, j, gsl_complex_add(gsl_matrix_complex_get(d, i, j),
                                                    gsl_complex_rect(creal(z), cimag(z))));
}

/* D = M + i mu_sigma gamma5 tau3 + mu_delta tau1 from the dense M of one flavor */
static gsl_matrix_complex *definition_of(doublet_workplace *p)
{
    gsl_matrix_complex *one = dense_of(p, apply_one_flavor, p->w.v, p->w.out);
    const size_t n = one->size1;
    gsl_matrix_complex *d = gsl_matrix_complex_calloc(FLAVORS * n, FLAVORS * n);
    for (size_t a = 0; a < FLAVORS; a++)
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++)
                gsl_matrix_complex_set(d, a * n + i, a * n + j, gsl_matrix_complex_get(one, i, j));
            for (size_t b = 0; b < FLAVORS; b++)
                add(d, a * n + i, b * n + i, I * p->params.matrix[0].mus.sigma * gamma5_of(i) * tau3.m[a][b]
                                             + p->params.matrix[0].mus.delta * tau1.m[a][b]);
        }
    gsl_matrix_complex_free(one);
    return d;
}

/* (left x 1) m (right x 1) */
static gsl_matrix_complex *between(flavor_matrix left, const gsl_matrix_complex *m, flavor_matrix right)
{
    const size_t n = m->size1 / FLAVORS;
    gsl_matrix_complex *out = gsl_matrix_complex_calloc(m->size1, m->size2);
    for (size_t i = 0; i < m->size1; i++)
        for (size_t j = 0; j < m->size2; j++)
            for (size_t k = 0; k < FLAVORS * FLAVORS; k++) {
                const size_t a = k / FLAVORS, b = k % FLAVORS;
                const gsl_complex z = gsl_matrix_complex_get(m, a * n + i % n, b * n + j % n);
                add(out, i, j, left.m[i / n][a] * (GSL_REAL(z) + I * GSL_IMAG(z)) * right.m[b][j / n]);
            }
    return out;
}

static gsl_matrix_complex *adjoint_of(const gsl_matrix_complex *m)
{
    gsl_matrix_complex *out = gsl_matrix_complex_alloc(m->size2, m->size1);
    for (size_t i = 0; i < m->size1; i++)
        for (size_t j = 0; j < m->size2; j++)
            gsl_matrix_complex_set(out, j, i, gsl_complex_conjugate(gsl_matrix_complex_get(m, i, j)));
    return out;
}

static void turn_by_gamma5(gsl_matrix_complex *m)
{
    for (size_t i = 0; i < m->size1; i++)
        for (size_t j = 0; j < m->size2; j++)
            gsl_matrix_complex_set(m, i, j, gsl_complex_mul_real(gsl_matrix_complex_get(m, i, j),
                                                                 gamma5_of(i) * gamma5_of(j)));
}

/* The largest element of |a - b| */
static double largest_difference(const gsl_matrix_complex *a, const gsl_matrix_complex *b)
{
    double largest = 0;
    for (size_t i = 0; i < a->size1; i++)
        for (size_t j = 0; j < a->size2; j++)
            largest = worse(largest, gsl_complex_abs(gsl_complex_sub(gsl_matrix_complex_get(a, i, j),
                                                                    gsl_matrix_complex_get(b, i, j))));
    return largest;
}

/* log |det| and the phase; the matrix is destroyed */
typedef struct { double log, re, im; } determinant;

static determinant determinant_of(gsl_matrix_complex *m)
{
    gsl_permutation *order = gsl_permutation_alloc(m->size1);
    int sign;
    gsl_linalg_complex_LU_decomp(m, order, &sign);
    const gsl_complex phase = gsl_linalg_complex_LU_sgndet(m, sign);
    const determinant det = { gsl_linalg_complex_LU_lndet(m), GSL_REAL(phase), GSL_IMAG(phase) };
    gsl_permutation_free(order);
    gsl_matrix_complex_free(m);
    return det;
}

/* ---- the definition and its symmetries */

static void definition(place where, const doublet_form *f)
{
    doublet_workplace p = doublet_begin(where, tiny, f);
    const double r = 1 / sqrt(2);
    const flavor_matrix v = { { { r, -I * r }, { -I * r, r } } }, v_adjoint = { { { r, I * r }, { I * r, r } } };
    gsl_matrix_complex *want = definition_of(&p), *d = dense_of(&p, apply_d, p.v, p.out),
                       *dagger = dense_of(&p, apply_d_dagger, p.v, p.out), *adjoint = adjoint_of(d),
                       *turned = between(v, d, v_adjoint), *hermitian = between(tau1, d, tau1);
    fact_close(largest_difference(turned, want), 0, 1e-14, "%s: V D V^+ = M + i mu_sigma gamma5 tau3 + mu_delta tau1",
               p.name);
    fact_close(largest_difference(dagger, adjoint), 0, 1e-14, "%s: D^+ is the adjoint", p.name);
    turn_by_gamma5(hermitian);
    fact_close(largest_difference(hermitian, adjoint), 0, 1e-14, "%s: gamma5 tau1 D gamma5 tau1 = D^+", p.name);
    gsl_matrix_complex *c = dense_of(&p, apply_c, p.v, p.out), *c_dagger = dense_of(&p, apply_c_dagger, p.v, p.out),
                       *c_adjoint = adjoint_of(c);
    fact_close(largest_difference(c_dagger, c_adjoint), 0, 1e-14, "%s: C^+ is the adjoint", p.name);
    gsl_matrix_complex *all[] = { want, d, dagger, adjoint, turned, hermitian, c, c_dagger, c_adjoint };
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        gsl_matrix_complex_free(all[n]);
    doublet_end(&p);
}

/* log |det E| of the sites of one parity, which the operator with a clover term gives */
static double log_det_of_blocks(const doublet_workplace *p)
{
    const doublet_mus mus = p->params.matrix[0].mus;
    const double t = 4 + DOUBLET_MASS, sites = (double)lattice_volume(p->w.l) / 2;
    if (p->d->kind->log_det)
        return p->d->kind->log_det(p->d, p->m);
    return 2 * 12 * sites * log(t * t + mus.sigma * mus.sigma - mus.delta * mus.delta);      /* even and odd */
}

static void determinants(place where, const doublet_form *f)
{
    doublet_workplace p = doublet_begin(where, tiny, f);
    const doublet_mus mus = p.params.matrix[0].mus;
    gsl_matrix_complex *d = definition_of(&p), *c = dense_of(&p, apply_c, p.v, p.out);
    gsl_matrix_complex *lowest = gsl_matrix_complex_calloc(d->size1, d->size2);
    gsl_blas_zgemm(CblasConjTrans, CblasNoTrans, GSL_COMPLEX_ONE, d, d, GSL_COMPLEX_ZERO, lowest);
    gsl_vector *squares = dense_eigenvalues(lowest);
    const double least = fmax(fabs(mus.sigma) - fabs(mus.delta), 0);
    fact(gsl_vector_get(squares, 0) >= least * least, "%s: |D psi| >= (mu_sigma - |mu_delta|) |psi|", p.name);
    const determinant all = determinant_of(d), odd = determinant_of(c);
    fact_close((log_det_of_blocks(&p) + odd.log) / all.log - 1, 0, 1e-13, "%s: det D = det E det C", p.name);
    fact_close(hypot(all.re - 1, all.im), 0, 1e-12, "%s: det D is positive%s", p.name, least > 0 ? "" : " here");
    fact_close(hypot(odd.re - 1, odd.im), 0, 1e-12, "%s: det C is positive%s", p.name, least > 0 ? "" : " here");
    if (mus.delta == 0) {
        const determinant one = determinant_of(dense_of(&p, apply_twisted, p.w.v, p.w.out));
        fact_close(2 * one.log / all.log - 1, 0, 1e-13, "%s: det D = |det (M + i mu gamma5)|^2", p.name);
    }
    gsl_vector_free(squares);
    gsl_matrix_complex_free(lowest);
    doublet_end(&p);
}

/* log |det D| */
static double log_det_of(place where, const doublet_form *f)
{
    doublet_workplace p = doublet_begin(where, tiny, f);
    const determinant all = determinant_of(dense_of(&p, apply_d, p.v, p.out));
    doublet_end(&p);
    return all.log;
}

/* Of one flavor test_wilson_definition.c compares phases in space with their definition. */
static void whole_turns(place where, double c_sw)
{
    const doublet_form none = { "", CLOVER_LINEAR, c_sw, { 0.4, 0.25 }, { 0 } },
                       whole = { "", CLOVER_LINEAR, c_sw, { 0.4, 0.25 }, { 2, 0, -2 } },
                       half = { "", CLOVER_LINEAR, c_sw, { 0.4, 0.25 }, { 1, 0, 0 } };
    const double log_det = log_det_of(where, &none);
    fact_close(log_det_of(where, &whole) - log_det, 0, 1e-11,
               "%s, c_sw %g: with theta = 2, 0, -2, det D is that of theta = 0", place_name(where), c_sw);
    fact(fabs(log_det_of(where, &half) - log_det) > 1e-3, "%s, c_sw %g: with theta = 1, 0, 0, it is another one",
         place_name(where), c_sw);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        for (int n = 0; n < DOUBLET_FORMS; n++) {
            definition(where, &doublet_forms[n]);
            determinants(where, &doublet_forms[n]);
        }
        whole_turns(where, 0);
        whole_turns(where, 1.7);
    }
    return facts_end();
}
