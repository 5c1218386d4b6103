/* test_clover_definition.c - Wilson quarks with a clover term on isotropic and anisotropic lattices are what their
 * definition says: M as a dense matrix from the links and gamma matrices, its determinant by both forms of Mhat,
 * gamma5 M gamma5 = M^+; and where both coefficients are the same, the bits are those of c_sw. */
#include "actions/wilson_operator.h"
#include "src/base/memory.h"
#include "src/operators/clover_operator.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dense_operator.h"
#include "tests/operators/hermitian.h"
#include "tests/operators/wilson_workplace.h"

#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

enum { SPINOR = 12, NUMBERS = SPINOR * SPINOR };
#define MASS 0.2
#define ROUGHNESS 1.2

/* ---- the definition, with sites in the order [t][z][y][x] */

/* gamma_mu of DeGrand and Rossi: in row i the column and the value of what is not zero */
static const struct { int column; double complex value; } gammas[4][4] = {
    { { 3, I }, { 2, I }, { 1, -I }, { 0, -I } },
    { { 3, -1 }, { 2, 1 }, { 1, 1 }, { 0, -1 } },
    { { 2, I }, { 3, -I }, { 0, -I }, { 1, I } },
    { { 2, 1 }, { 3, 1 }, { 0, 1 }, { 1, 1 } },
};

typedef struct { double complex e[3][3]; } color;
typedef struct { const double complex *link; const int *n; int sites; } links;
/* direction: mu forward, mu + 4 backward */
enum { BACK = 4 };

static int next_site(const links *l, int site, int direction)
{
    int stride = 1;
    const int mu = direction % BACK;
    for (int nu = 0; nu < mu; nu++)
        stride *= l->n[nu];
    const int at = site / stride % l->n[mu], step = direction < BACK ? 1 : l->n[mu] - 1;
    return site + ((at + step) % l->n[mu] - at) * stride;
}

static color times(color a, color b)
{
    color c = { { { 0 } } };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                c.e[i][j] += a.e[i][k] * b.e[k][j];
    return c;
}

/* The link from a site in a direction: U_mu(x), or U_mu(x - mu)^+. */
static color link_of(const links *l, int site, int direction)
{
    color u;
    const int mu = direction % BACK, from = direction < BACK ? site : next_site(l, site, direction);
    const double complex *e = l->link + 9 * (4 * from + mu);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            u.e[i][j] = direction < BACK ? e[3 * i + j] : conj(e[3 * j + i]);
    return u;
}

/* The plaquette x, x + a, x + a + b, x + b, x. */
static color leaf(const links *l, int site, int a, int b)
{
    const int path[4] = { a, b, (a + BACK) % 8, (b + BACK) % 8 };
    color u = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
    for (int i = 0; i < 4; i++) {
        u = times(u, link_of(l, site, path[i]));
        site = next_site(l, site, path[i]);
    }
    return u;
}

/* F_mu,nu = (Q - Q^+) / 8, Q: four leaves, each turned by a quarter. */
static color field_strength(const links *l, int site, int mu, int nu)
{
    color q = { { { 0 } } }, f;
    for (int n = 0, a = mu, b = nu; n < 4; n++) {
        const color one = leaf(l, site, a, b);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                q.e[i][j] += one.e[i][j];
        const int turned = (a + BACK) % 8;
        a = b;
        b = turned;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            f.e[i][j] = (q.e[i][j] - conj(q.e[j][i])) / 8;
    return f;
}

/* b <- sum over planes of c (i/2) sigma_mu,nu F_mu,nu = -(c/2) gamma_mu gamma_nu F, c of the kind of plane */
static void clover_block_of(double complex b[NUMBERS], const links *l, int site, const double c[2])
{
    memset(b, 0, NUMBERS * sizeof *b);
    for (int mu = 0; mu < 4; mu++)
        for (int nu = mu + 1; nu < 4; nu++) {
            const color f = field_strength(l, site, mu, nu);
            for (int spin = 0; spin < 4; spin++) {
                const int through = gammas[mu][spin].column, to = gammas[nu][through].column;
                const double complex gg = gammas[mu][spin].value * gammas[nu][through].value;
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++)
                        b[SPINOR * (3 * spin + i) + 3 * to + j] -= c[nu == 3] / 2 * gg * f.e[i][j];
            }
        }
}

/* t <- D + B, or D exp(B/D) by its series */
static void diagonal_block(double complex t[NUMBERS], const double complex b[NUMBERS], double d, bool exponential)
{
    double complex term[NUMBERS] = { 0 }, next[NUMBERS];
    for (int i = 0; i < SPINOR; i++)
        term[(SPINOR + 1) * i] = d;
    memcpy(t, term, sizeof term);
    for (int order = 1; order <= (exponential ? 40 : 1); order++) {
        memset(next, 0, sizeof next);
        for (int i = 0; i < SPINOR; i++)
            for (int j = 0; j < SPINOR; j++)
                for (int k = 0; k < SPINOR; k++)
                    next[SPINOR * i + j] += term[SPINOR * i + k] * b[SPINOR * k + j] / (d * order);
        memcpy(term, next, sizeof term);
        for (int i = 0; i < NUMBERS; i++)
            t[i] += term[i];
    }
}

/* A case: an input of the operator, and its numbers: nu/xi_0, and the coefficients of planes in space and with t. */
typedef struct { const char *name; wilson_operator_input in; double space, c[2]; } definition;

static void add_to(gsl_matrix_complex *m, int row, int column, double complex value)
{
    const gsl_complex old = gsl_matrix_complex_get(m, (size_t)row, (size_t)column);
    gsl_matrix_complex_set(m, (size_t)row, (size_t)column,
                           gsl_complex_add(old, gsl_complex_rect(creal(value), cimag(value))));
}

/* -1/2 weight (1 - gamma_mu) U of a hop forward, (1 + gamma_mu) U of one backward; antiperiodic in t */
static void add_hops(gsl_matrix_complex *m, const links *l, int site, const definition *of)
{
    const int slice = l->sites / l->n[3];
    for (int direction = 0; direction < 2 * BACK; direction++) {
        const int mu = direction % BACK, to = next_site(l, site, direction);
        const bool back = direction >= BACK, ends = back ? site < slice : site >= l->sites - slice;
        const color u = link_of(l, site, direction);
        const double weight = mu < 3 ? of->space : ends ? -1 : 1;
        for (int spin = 0; spin < 4; spin++)
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    const int row = SPINOR * site + 3 * spin + i;
                    add_to(m, row, SPINOR * to + 3 * spin + j, -0.5 * weight * u.e[i][j]);
                    add_to(m, row, SPINOR * to + 3 * gammas[mu][spin].column + j,
                           (back ? -0.5 : 0.5) * weight * gammas[mu][spin].value * u.e[i][j]);
                }
    }
}

static gsl_matrix_complex *defined(const wilson_workplace *w, const definition *of)
{
    const int sites = (int)lattice_volume(w->l);
    double complex *u = memory_alloc((size_t)sites * 36 * sizeof *u, "links"), b[NUMBERS], t[NUMBERS];
    const links l = { u, lattice_global(w->l), sites };
    gsl_matrix_complex *m = gsl_matrix_complex_calloc((size_t)sites * SPINOR, (size_t)sites * SPINOR);
    gauge_export((double *)u, w->u);
    for (int site = 0; site < sites; site++) {
        clover_block_of(b, &l, site, of->c);
        diagonal_block(t, b, MASS + 1 + 3 * of->space, of->in.clover == CLOVER_EXPONENTIAL);
        for (int i = 0; i < SPINOR; i++)
            for (int j = 0; j < SPINOR; j++)
                add_to(m, SPINOR * site + i, SPINOR * site + j, t[SPINOR * i + j]);
        add_hops(m, &l, site, of);
    }
    memory_free(u);
    return m;
}

/* ---- the operator of the input */

typedef struct { clover_operator_params params; dirac_operator *d; dirac_matrix *m; } built;

/* The plan borrows the parameters. */
static void build(built *b, const wilson_workplace *w, const wilson_operator_input *in)
{
    failure why;
    require(wilson_operator_check(in, &why), "%s", why.why);
    b->params = wilson_operator_of(in);
    clover_operator_add_mass(&b->params, MASS);
    const dirac_plan plan = wilson_operator_plan(&b->params, in);
    b->d = dirac_create(&plan, w->u, false);
    require(dirac_update(b->d, w->u, &why), "%s", why.why);
    b->m = b->d->kind->matrix(b->d, 0);
}

static void built_free(built *b)
{
    memory_free(b->m);
    dirac_free(b->d);
}

static double matrices_apart(const wilson_workplace *w, const built *b, const gsl_matrix_complex *want)
{
    double off = 0, *unit = memory_alloc(2 * want->size1 * sizeof *unit, "a unit vector");
    for (size_t j = 0; j < want->size1; j++) {
        unit[2 * j] = 1;
        vec_import(w->v.even, unit);
        vec_import(w->v.odd, unit);
        unit[2 * j] = 0;
        clover_apply(w->out, clover_operator_links(b->d, b->m), false, w->v);
        double complex *column = wilson_numbers(w->out);
        for (size_t i = 0; i < want->size1; i++) {
            const gsl_complex x = gsl_matrix_complex_get(want, i, j);
            off = worse(off, cabs(column[i] - GSL_REAL(x) - I * GSL_IMAG(x)));
        }
        memory_free(column);
    }
    memory_free(unit);
    return off;
}

/* max |gamma5 M gamma5 - M^+| */
static double not_hermitian(const gsl_matrix_complex *m)
{
    double off = 0;
    for (size_t i = 0; i < m->size1; i++)
        for (size_t j = 0; j < m->size1; j++) {
            const double sign = (i % SPINOR < 6) == (j % SPINOR < 6) ? 1 : -1;
            const gsl_complex a = gsl_matrix_complex_get(m, i, j), b = gsl_matrix_complex_get(m, j, i);
            off = worse(off, hypot(sign * GSL_REAL(a) - GSL_REAL(b), sign * GSL_IMAG(a) + GSL_IMAG(b)));
        }
    return off;
}

static double log_det_of(gsl_matrix_complex *m)
{
    int sign;
    gsl_permutation *order = gsl_permutation_alloc(m->size1);
    gsl_linalg_complex_LU_decomp(m, order, &sign);
    gsl_permutation_free(order);
    return gsl_linalg_complex_LU_lndet(m);
}

/* log |det T| of the terms of Mhat, and log |det Mhat| */
static double log_det_by_parts(const built *b)
{
    const clover_links l = clover_operator_links(b->d, b->m);
    const vec_storage full = dirac_full_storage(b->d);
    vec *spare[1][DIRAC_WORK_VECTORS] = { { NULL } }, *like = dirac_vec_create(b->d, b->d->kind->home, full);
    for (int k = 0; k < b->d->kind->work_vectors; k++)
        spare[0][k] = dirac_vec_create(b->d, b->d->kind->work[k], full);
    linop *a = b->d->kind->normal(b->d, full, b->m, (vec *const (*)[DIRAC_WORK_VECTORS])spare, 1);
    gsl_matrix_complex *dense = dense_operator(a, 0, like);
    hermitian h = hermitian_of(dense);
    const double found = hermitian_log_det(&h) / 2 + l.term->log_det + (l.odd ? l.odd->log_det : 0);
    hermitian_free(&h);
    gsl_matrix_complex_free(dense);
    memory_free(a);
    for (int k = 0; k < b->d->kind->work_vectors; k++)
        vec_free(spare[0][k]);
    vec_free(like);
    return found;
}

#define UNEVEN(x, n, s, t) .xi_0 = x, .nu = n, .c_s = s, .c_t = t, .given = { .xi_0 = true, .nu = true, .c_s = true, \
                                                                              .c_t = true }
static const definition definitions[] = {
    { "c_sw", { .boundary = 1, .c_sw = 1.3 }, 1, { 1.3, 1.3 } },
    { "c_s and c_t", { .boundary = 1, UNEVEN(3.5, 1.1, 1.6, 0.9) }, 1.1 / 3.5, { 1.6 / 3.5, 0.9 } },
    { "c_s and c_t, exponential", { .boundary = 1, UNEVEN(3.5, 1.1, 1.6, 0.9), .clover = CLOVER_EXPONENTIAL },
      1.1 / 3.5, { 1.6 / 3.5, 0.9 } },
    { "c_s alone", { .boundary = 1, UNEVEN(2, 1.2, 1.5, 0) }, 0.6, { 0.75, 0 } },
    { "c_t alone, exponential", { .boundary = 1, UNEVEN(2, 1.2, 0, 1.5), .clover = CLOVER_EXPONENTIAL }, 0.6,
      { 0, 1.5 } },
    { "c_s = xi_0 c_t", { .boundary = 1, UNEVEN(2, 0.9, 1.6, 0.8) }, 0.45, { 0.8, 0.8 } },
};

static void operator_is_as_defined(place where, const definition *of)
{
    wilson_workplace w = wilson_begin(where, (const int[]){ 2, 2, 2, 2 }, ROUGHNESS, -1);
    gsl_matrix_complex *m = defined(&w, of);
    built b;
    build(&b, &w, &of->in);
    fact_close(matrices_apart(&w, &b, m), 0, 2e-13, "%s, %s: M is that of its definition", place_name(where), of->name);
    fact_close(not_hermitian(m), 0, 1e-14, "%s: gamma5 M gamma5 = M^+", of->name);
    built_free(&b);
    const double log_det = log_det_of(m);
    for (int form = CLOVER_ASYMMETRIC; form <= CLOVER_SYMMETRIC; form++) {
        wilson_operator_input in = of->in;
        in.even_odd = form;
        build(&b, &w, &in);
        fact_close(log_det_by_parts(&b) / log_det, 1, 1e-13, "%s, %s, %s: det M = det T det Mhat", place_name(where),
                   of->name, clover_form_names[form]);
        built_free(&b);
    }
    gsl_matrix_complex_free(m);
    wilson_end(&w);
}

/* On a longer lattice, where no plaquette meets itself. */
static void larger_lattice(place where)
{
    const definition *of = &definitions[1];
    wilson_workplace w = wilson_begin(where, (const int[]){ 2, 4, 2, 4 }, ROUGHNESS, -1);
    gsl_matrix_complex *m = defined(&w, of);
    built b;
    build(&b, &w, &of->in);
    fact_close(matrices_apart(&w, &b, m), 0, 2e-13, "%s, 2x4x2x4: M is that of its definition", place_name(where));
    built_free(&b);
    gsl_matrix_complex_free(m);
    wilson_end(&w);
}

static void isotropic_limit(place where)
{
    const wilson_operator_input isotropic = { .boundary = 1, .c_sw = 1.3 },
                                equal = { .boundary = 1, UNEVEN(1, 1, 1.3, 1.3) };
    wilson_workplace w = wilson_begin(where, (const int[]){ 2, 4, 2, 4 }, ROUGHNESS, -1);
    double complex *numbers[2];
    double log_det[2];
    for (int i = 0; i < 2; i++) {
        built b;
        build(&b, &w, i ? &equal : &isotropic);
        wilson_set_random(w.v, 3);
        clover_apply(w.out, clover_operator_links(b.d, b.m), false, w.v);
        numbers[i] = wilson_numbers(w.out);
        log_det[i] = clover_operator_links(b.d, b.m).term->log_det;
        built_free(&b);
    }
    const size_t bytes = (size_t)lattice_volume(w.l) * SPINOR * sizeof **numbers;
    fact(memcmp(numbers[0], numbers[1], bytes) == 0 && log_det[0] == log_det[1],
         "%s: xi_0 = nu = 1 and c_s = c_t have the bits of c_sw", place_name(where));
    fact(wilson_operator_same(&isotropic, &equal), "and are the same operator");
    fact(!wilson_operator_same(&definitions[1].in, &definitions[3].in)
             && !wilson_operator_same(&definitions[1].in, &definitions[2].in), "others are not");
    memory_free(numbers[0]);
    memory_free(numbers[1]);
    wilson_end(&w);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        for (size_t i = 0; i < sizeof definitions / sizeof *definitions; i++)
            operator_is_as_defined(where, &definitions[i]);
        larger_lattice(where);
        isotropic_limit(where);
    }
    return facts_end();
}
