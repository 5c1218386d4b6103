/* test_open_quarks.c - Wilson quarks with open boundaries in time: the operator is that of periodic boundaries between
 * the first and the last slice, where quark fields are 0; free quarks in closed form; dense determinants; actions and
 * forces. */
#include "actions/wilson_params.h"
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/lattice/rng.h"
#include "src/operators/clover.h"
#include "tests/actions/derivative.h"
#include "tests/actions/monomial_facts.h"
#include "tests/actions/quark_fields.h"
#include "tests/actions/quark_monomial_facts.h"
#include "tests/analytic_field.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dense_operator.h"
#include "tests/operators/hermitian.h"
#include "tests/operators/link_fields.h"
#include "tests/operators/wilson_workplace.h"

#include <complex.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#define TIGHT "residuals: { refresh: 1e-13, action: 1e-13, force: 1e-13 }\n"
enum { SPINOR = 12 };

static const vec_storage full = { VECTOR_NATIVE, PRECISION_DOUBLE };

static lattice *lattice_with(const int extents[4], bool open)
{
    lattice_shape shape = lattice_shape_single(extents);
    shape.open_in_time = open;
    return lattice_create(&shape);
}

/* ---- the operator */

/* Links, term and operator on a lattice; `links`: of analytic_links, NULL: unit links. */
typedef struct { lattice *l; gauge *u; hop_links *hops; clover_term *term; spinor_field in, out; } setting;
typedef struct {
    clover_kind kind;
    double c_sw, mass, mu, rho, c_F;
    double space;                           /* nu/xi_0; 0: isotropic */
    clover_planes planes;                   /* c_s/xi_0 and c_t, with c_sw = 1 */
} quark;

#define EVEN 0, { 1, 1 }

static quark_boundary boundary_of(const quark *q)
{
    return (quark_boundary){ .t = -1, .anisotropic = q->space != 0, .space = q->space };
}

/* m in T = 4 + m */
static double diagonal_mass(const quark *q)
{
    const quark_boundary b = boundary_of(q);
    return q->mass + hop_mass_shift(&b);
}

static setting setting_create(place where, const int n[4], bool open, const double *links, const quark *q)
{
    failure why;
    setting s = { .l = lattice_with(n, open) };
    s.u = gauge_create(s.l, where, PRECISION_DOUBLE);
    if (links)
        gauge_import(s.u, links);
    else
        gauge_set_unit(s.u);
    s.hops = hop_links_create_for(s.l, where, full, boundary_of(q));
    s.term = clover_term_create(s.l, where, PRECISION_DOUBLE, q->kind, q->c_sw);
    s.term->blocks->beside_ends = q->c_F - 1;
    if (q->space != 0)
        s.term->blocks->planes = q->planes;
    clover_term_twist(s.term, q->mu);
    require(hop_links_update(s.hops, s.u, &why) && clover_term_update(s.term, s.u, diagonal_mass(q), &why), "%s",
            why.why);
    s.in = spinor_field_create(s.u, 1);
    s.out = spinor_field_create(s.u, 1);
    return s;
}

static void setting_free(setting *s)
{
    spinor_field_free(s->in);
    spinor_field_free(s->out);
    clover_term_free(s->term);
    hop_links_free(s->hops);
    gauge_free(s->u);
    lattice_free(s->l);
}

/* out <- M in; arrays [t][z][y][x][spin][color] */
static void apply(double complex *out, setting *s, const quark *q, bool dagger, const double complex *in)
{
    vec_import(s->in.even, (const double *)in);
    vec_import(s->in.odd, (const double *)in);
    clover_apply(s->out, (clover_links){ .links = s->hops, .term = s->term, .rho = q->rho }, dagger, s->in);
    double complex *got = wilson_numbers(s->out);
    memcpy(out, got, (size_t)lattice_volume(s->l) * SPINOR * sizeof *out);
    memory_free(got);
}

/* A number of a field of n sites that is 0 in the first and the last slice. */
static double complex number_inside(const int n[4], size_t i)
{
    const size_t slice = (size_t)(n[0] * n[1] * n[2]) * SPINOR, t = i / slice;
    return t > 0 && t < (size_t)n[3] - 1 ? cos(1.7 * (double)i + 0.3) + I * sin(2.9 * (double)i * (double)i + 1) : 0;
}

/* With fields that are 0 at the ends: M is that of a periodic lattice, the result set to 0 at the ends, and c_F - 1
 * more on the diagonal beside them. */
static void as_between_ends(place where, const quark *q, const char *name)
{
    const int n[4] = { 2, 4, 2, 6 };
    const size_t slice = (size_t)(n[0] * n[1] * n[2]) * SPINOR, count = slice * (size_t)n[3];
    double *links = analytic_links(n, 1.1);
    setting open = setting_create(where, n, true, links, q), around = setting_create(where, n, false, links, q);
    double complex *v = memory_alloc(4 * count * sizeof *v, "spinors"), *got = v + count, *want = got + count;
    /* inactive links are unit matrices in both */
    double *same = links_of(open.u);
    failure why;
    gauge_import(around.u, same);
    around.term->blocks->beside_ends = 0;
    require(hop_links_update(around.hops, around.u, &why)
                && clover_term_update(around.term, around.u, diagonal_mass(q), &why), "%s", why.why);
    for (size_t i = 0; i < count; i++)
        v[i] = number_inside(n, i);
    for (int dagger = 0; dagger < 2; dagger++) {
        double off = 0, ends = 0;
        apply(got, &open, q, dagger, v);
        apply(want, &around, q, dagger, v);
        for (size_t i = 0; i < count; i++) {
            const size_t t = i / slice, last = (size_t)n[3] - 1;
            if (t == 0 || t == last)
                ends = worse(ends, cabs(got[i]));
            else
                off = worse(off, cabs(got[i] - want[i] - (t == 1 || t == last - 1 ? (q->c_F - 1) * v[i] : 0)));
        }
        fact_close(off, 0, 1e-13, "%s, %s: %s is that of a periodic lattice between the ends", place_name(where), name,
                   dagger ? "M^+" : "M");
        fact(ends == 0, "%s, %s: and 0 at the ends", place_name(where), name);
    }
    memory_free(v);
    memory_free(same);
    memory_free(links);
    setting_free(&around);
    setting_free(&open);
}

/* <w, M v> = <M^+ w, v>, and gamma5 M(mu) gamma5 = M(-mu)^+ */
static void hermiticity(place where, const quark *q, const char *name)
{
    const int n[4] = { 2, 2, 4, 6 };
    const size_t count = (size_t)(n[0] * n[1] * n[2] * n[3]) * SPINOR;
    double *links = analytic_links(n, 1.1);
    quark mirrored = *q;
    mirrored.mu = -q->mu;
    mirrored.rho = -q->rho;
    setting s = setting_create(where, n, true, links, q), m = setting_create(where, n, true, links, &mirrored);
    double complex *v = memory_alloc(4 * count * sizeof *v, "spinors"), *a = v + count, *b = a + count, *w = b + count;
    double complex left = 0, right = 0;
    double off = 0;
    for (size_t i = 0; i < count; i++) {
        v[i] = number_inside(n, i);
        w[i] = conj(number_inside(n, (i * 7 + 5 * SPINOR) % count)) * (number_inside(n, i) != 0);
    }
    apply(a, &s, q, false, v);
    apply(b, &s, q, true, w);
    for (size_t i = 0; i < count; i++) {
        left += conj(w[i]) * a[i];
        right += conj(b[i]) * v[i];
    }
    fact_close(cabs(left - right) / cabs(left), 0, 1e-13, "%s, %s: M^+ is the adjoint", place_name(where), name);
    for (size_t i = 0; i < count; i++)
        w[i] = v[i] * (i % SPINOR >= 6 ? -1 : 1);
    apply(a, &m, &mirrored, false, w);
    apply(b, &s, q, true, v);
    for (size_t i = 0; i < count; i++)
        off = worse(off, cabs(a[i] * (i % SPINOR >= 6 ? -1 : 1) - b[i]));
    fact_close(off, 0, 1e-13, "%s, %s: gamma5 M(mu) gamma5 = M(-mu)^+", place_name(where), name);
    memory_free(v);
    memory_free(links);
    setting_free(&m);
    setting_free(&s);
}

/* Free quarks at rest: b = 1 + m, and c_F - 1 more beside the ends,
 *     M = b(t) - P_- S_up - P_+ S_down,   P_+- = (1 +- gamma_t) / 2
 *     propagator from s to t: P_+ prod_s^t 1/b for t >= s, P_- prod_t^s 1/b for t <= s: no images, since the quark
 * does not come back from a Dirichlet boundary. */
static void free_quarks(place where, double space)
{
    const int n[4] = { 4, 2, 2, 10 }, source = 3;
    const quark q = { CLOVER_LINEAR, 1.3, 0.2, 0, 0, 1.25, space, { 0.7, 1.2 } };
    const size_t slice = (size_t)(n[0] * n[1] * n[2]) * SPINOR, count = slice * (size_t)n[3];
    setting s = setting_create(where, n, true, NULL, &q);
    double complex *v = memory_alloc(2 * count * sizeof *v, "spinors"), *got = v + count;
    double b[10], off = 0;
    for (int t = 0; t < n[3]; t++)
        b[t] = 1 + q.mass + (t == 1 || t == n[3] - 2 ? q.c_F - 1 : 0);
    /* gamma_t of DeGrand and Rossi exchanges spins 0, 2 and 1, 3; the source has spin 0 and color 1 */
    for (int t = 1; t < n[3] - 1; t++) {
        double forward = t >= source, backward = t <= source;
        for (int k = t < source ? t : source; k <= (t < source ? source : t); k++) {
            forward /= b[k];
            backward /= b[k];
        }
        for (size_t x = 0; x < slice; x += SPINOR) {
            v[(size_t)t * slice + x + 1] = (forward + backward) / 2;
            v[(size_t)t * slice + x + 3 * 2 + 1] = (forward - backward) / 2;
        }
    }
    apply(got, &s, &q, false, v);
    for (size_t i = 0; i < count; i++)
        off = worse(off, cabs(got[i] - (i / slice == (size_t)source && i % SPINOR == 1)));
    fact_close(off, 0, 1e-14, "%s, nu/xi_0 %g: free quarks at rest have the propagator of Dirichlet boundaries",
               place_name(where), space == 0 ? 1 : space);
    memory_free(v);
    setting_free(&s);
}

/* ---- determinants and actions */

typedef struct { const char *name, *yaml; quark of; } row;
static const row rows[] = {
    { "Wilson", "determinants: [ { mass: 0.2 } ]", { CLOVER_LINEAR, 0, 0.2, 0, 0, 1, EVEN } },
    { "Wilson, c_F", "c_F: 1.2\ndeterminants: [ { mass: 0.2 } ]", { CLOVER_LINEAR, 0, 0.2, 0, 0, 1.2, EVEN } },
    { "clover, c_F", "c_sw: 1.3\nc_F: 0.9\ndeterminants: [ { mass: 0.2 } ]",
      { CLOVER_LINEAR, 1.3, 0.2, 0, 0, 0.9, EVEN } },
    { "exponential clover", "c_sw: 1.3\nclover: exponential\ndeterminants: [ { mass: 0.2 } ]",
      { CLOVER_EXPONENTIAL, 1.3, 0.2, 0, 0, 1, EVEN } },
    { "twisted mass, clover, c_F", "c_sw: 1.3\nc_F: 1.1\ndeterminants: [ { mass: 0.1, mu: 0.3 } ]",
      { CLOVER_LINEAR, 1.3, 0.1, 0.3, 0, 1.1, EVEN } },
    { "twisted mass, exponential clover, symmetric",
      "c_sw: 1.3\nclover: exponential\neven_odd: symmetric\ndeterminants: [ { mass: 0.1, mu: 0.3 } ]",
      { CLOVER_EXPONENTIAL, 1.3, 0.1, 0.3, 0, 1, EVEN } },
    { "clover, c_F, symmetric", "c_sw: 1.3\nc_F: 1.1\neven_odd: symmetric\ndeterminants: [ { mass: 0.2 } ]",
      { CLOVER_LINEAR, 1.3, 0.2, 0, 0, 1.1, EVEN } },
    { "anisotropic", "xi_0: 2.5\nnu: 1.1\nc_F: 1.1\ndeterminants: [ { mass: 0.2 } ]",
      { CLOVER_LINEAR, 1, 0.2, 0, 0, 1.1, 1.1 / 2.5, { 0, 0 } } },
    { "c_s and c_t", "xi_0: 2.5\nnu: 1.1\nc_s: 1.5\nc_t: 0.9\nc_F: 1.1\ndeterminants: [ { mass: 0.2 } ]",
      { CLOVER_LINEAR, 1, 0.2, 0, 0, 1.1, 1.1 / 2.5, { 1.5 / 2.5, 0.9 } } },
    { "c_s and c_t, exponential", "xi_0: 2.5\nnu: 1.1\nc_s: 1.5\nc_t: 0.9\nclover: exponential\n"
      "determinants: [ { mass: 0.2 } ]", { CLOVER_EXPONENTIAL, 1, 0.2, 0, 0, 1, 1.1 / 2.5, { 1.5 / 2.5, 0.9 } } },
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Only forces and bits of these. */
static const row others[] = {
    { "a chain with twists of odd sites, mixed precision",
      "c_sw: 1.3\nc_F: 1.1\nsolver: double-single-half\n"
      "determinants: [ { mass: 0.1, rho: 0.1, hasenbusch: [ { rho: 0.4 } ], heavy: 0.8 } ]", { 0 } },
    { "one flavor, clover, c_F",
      "c_sw: 1.3\nc_F: 1.1\ndeterminants: [ { flavors: 1, mass: 0.2, errors: { refresh: 1e-13, action: 1e-13, "
      "force: 1e-13 } } ]", { 0 } },
    { "two levels of stout links, c_s and c_t",
      "stout: { levels: 2, rho: 0.11 }\nxi_0: 2.5\nnu: 1.1\nc_s: 1.5\nc_t: 0.9\nc_F: 1.1\n"
      "determinants: [ { mass: 0.1, hasenbusch: [ { mass: 0.4 } ] } ]", { 0 } },
    { "a chain by BiCGstab(2)",
      "method: bicgstab2\ndeterminants: [ { mass: 0.05, hasenbusch: [ { mass: 0.3 } ], heavy: 0.8 } ]", { 0 } },
};
enum { OTHERS = sizeof others / sizeof *others };

/* log |det M| of the slices between the ends, from M applied to unit vectors */
static double log_det_inside(setting *s, const quark *q)
{
    const int *n = lattice_global(s->l);
    const size_t slice = (size_t)(n[0] * n[1] * n[2]) * SPINOR, count = slice * (size_t)n[3];
    const size_t inside = count - 2 * slice;
    gsl_matrix_complex *m = gsl_matrix_complex_alloc(inside, inside);
    gsl_permutation *order = gsl_permutation_alloc(inside);
    double complex *v = memory_alloc(2 * count * sizeof *v, "spinors"), *column = v + count;
    int sign;
    for (size_t j = 0; j < inside; j++) {
        v[slice + j] = 1;
        apply(column, s, q, false, v);
        v[slice + j] = 0;
        for (size_t i = 0; i < inside; i++)
            gsl_matrix_complex_set(m, i, j, gsl_complex_rect(creal(column[slice + i]), cimag(column[slice + i])));
    }
    gsl_linalg_complex_LU_decomp(m, order, &sign);
    const double log_det = gsl_linalg_complex_LU_lndet(m);
    memory_free(v);
    gsl_permutation_free(order);
    gsl_matrix_complex_free(m);
    return log_det;
}

/* log det C, from its normal operator */
static double log_det_c(const row *a, const gauge *u)
{
    failure f;
    void *params = monomial_params(&wilson_monomial, a->yaml);
    quark_plan plan;
    require(quark_plan_make(&plan, &wilson_monomial, params, &f), "%s", f.why);
    dirac_operator *d = plan.d.kind->create(&plan.d, u, false);
    require(dirac_update(d, u, &f), "%s", f.why);
    dirac_matrix *m = d->kind->matrix(d, plan.factor[0].light);
    vec *spare[1][DIRAC_WORK_VECTORS] = { { NULL } }, *like = dirac_vec_create(d, d->kind->home, full);
    for (int k = 0; k < d->kind->work_vectors; k++)
        spare[0][k] = dirac_vec_create(d, d->kind->work[k], full);
    linop *op = d->kind->normal(d, full, m, (vec *const (*)[DIRAC_WORK_VECTORS])spare, 1);
    gsl_matrix_complex *dense = dense_operator(op, 0, like);
    hermitian h = hermitian_of(dense);
    const double log_det = hermitian_log_det(&h) / 2;
    hermitian_free(&h);
    gsl_matrix_complex_free(dense);
    memory_free(op);
    for (int k = 0; k < d->kind->work_vectors; k++)
        vec_free(spare[0][k]);
    vec_free(like);
    memory_free(m);
    d->kind->free(d);
    quark_plan_free(&plan);
    monomial_params_free(&wilson_monomial, params);
    return log_det;
}

/* The weight of an action, but for the constant of the ends, is that of a dense matrix between them: how it differs
 * for two gauge fields. */
static void weights(place where, const row *a)
{
    const int n[4] = { 2, 2, 2, 4 };
    double want[2], found[2];
    for (int which = 0; which < 2; which++) {
        double *links = analytic_links(n, which ? 1.2 : 0.7);
        setting s = setting_create(where, n, true, links, &a->of);
        monomial *m = quarks_drawn(&wilson_monomial, a->yaml, s.u);
        action_of(m, s.u);                           /* the first action is compared with |eta|^2 */
        for (int i = 0; monomial_pseudofermion(m, i, NULL); i++)
            field_zero(monomial_pseudofermion(m, i, NULL));
        const double rest = action_of(m, s.u);
        want[which] = 2 * log_det_inside(&s, &a->of);
        found[which] = 2 * log_det_c(a, s.u) - rest;
        monomial_free(m);
        setting_free(&s);
        memory_free(links);
    }
    fact_close((found[1] - found[0]) / (want[1] - want[0]), 1, 1e-11, "%s, %s: log of the weight, of dense matrices "
               "between the ends, differs by %.5g", place_name(where), a->name, want[1] - want[0]);
}

static void actions(place where, const row *a, int count, double **first)
{
    const int n[4] = { 2, 2, 2, 6 };
    lattice *l = lattice_with(n, true);
    for (int i = 0; i < count; i++) {
        const quark_monomial_case one = { &wilson_monomial, a[i].name, a[i].yaml, TIGHT };
        quark_monomial_all_facts(&one, 1, l, where, &first[i]);
    }
    lattice_free(l);
}

int main(void)
{
    double *first[ROWS + OTHERS] = { NULL };
    FOR_EVERY_PLACE(where) {
        free_quarks(where, 0);
        free_quarks(where, 0.44);
        for (int i = 0; i < ROWS; i++) {
            as_between_ends(where, &rows[i].of, rows[i].name);
            hermiticity(where, &rows[i].of, rows[i].name);
            weights(where, &rows[i]);
        }
        actions(where, rows, ROWS, first);
        actions(where, others, OTHERS, first + ROWS);
    }
    for (int i = 0; i < ROWS + OTHERS; i++)
        memory_free(first[i]);
    return facts_end();
}
