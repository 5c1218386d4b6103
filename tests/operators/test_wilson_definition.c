/* test_wilson_definition.c - the Wilson operator is what its definition says: site by site, as a dense matrix with its
 * determinant, and on free quarks. */
#include "src/base/memory.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dense_operator.h"
#include "tests/operators/format_facts.h"
#include "tests/operators/hermitian.h"
#include "tests/operators/wilson_workplace.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

enum { SPINOR = 12 };
#define MASS 0.3

/* ---- the definition, in arrays [t][z][y][x][spin][color] */

/* gamma_mu of DeGrand and Rossi: in row i the column and the value of what is not zero */
static const struct { int column; double complex value; } gammas[4][4] = {
    { { 3, I }, { 2, I }, { 1, -I }, { 0, -I } },
    { { 3, -1 }, { 2, 1 }, { 1, 1 }, { 0, -1 } },
    { { 2, I }, { 3, -I }, { 0, -I }, { 1, I } },
    { { 2, 1 }, { 3, 1 }, { 0, 1 }, { 1, 1 } },
};

/* out <- out + f (1 + sign gamma_mu) in */
static void add_projected(double complex *out, double complex f, int mu, double sign, const double complex *in)
{
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++)
            out[3 * i + c] += f * (in[3 * i + c]
                                   + sign * gammas[mu][i].value * in[3 * gammas[mu][i].column + c]);
}

/* out <- out - 1/2 (1 + sign gamma_mu) U in, with U_mu(x), or its adjoint where sign is 1 */
static void add_hop(double complex *out, const double complex *link, double complex boundary, int mu, double sign,
                    const double complex *in)
{
    double complex carried[SPINOR] = { 0 };
    for (int i = 0; i < 4; i++)
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 3; column++)
                carried[3 * i + row] += (sign < 0 ? link[3 * row + column] : conj(link[3 * column + row]))
                                        * in[3 * i + column];
    add_projected(out, -0.5 * (sign < 0 ? boundary : conj(boundary)), mu, sign, carried);
}

/* exp(i pi theta x / L): from the field of the uniform phases to the one that has them at the boundary */
static double complex boundary_phase(const int n[4], const double theta[3], size_t x)
{
    double angle = 0;
    for (int k = 0; k < 3; k++) {
        angle += M_PI * theta[k] * (double)(x % (size_t)n[k]) / n[k];
        x /= (size_t)n[k];
    }
    return cexp(I * angle);
}

/* M v, or M^+ v = gamma5 M gamma5 v, by its definition: with psi(x + L_k e_k) = exp(i pi theta_k) psi(x) */
static double complex *defined(const wilson_workplace *w, const quark_boundary *b, const double complex *v, bool dagger)
{
    const int *n = lattice_global(w->l);
    const double *theta = b->theta, space = b->anisotropic ? b->space : 1;
    const size_t sites = (size_t)lattice_volume(w->l);
    double complex *u = memory_alloc(sites * 36 * sizeof *u, "links");
    double complex *in = memory_alloc(sites * SPINOR * sizeof *in, "a vector");
    double complex *out = memory_alloc(sites * SPINOR * sizeof *out, "a vector");
    gauge_export((double *)u, w->u);
    for (size_t i = 0; i < sites * SPINOR; i++) {
        in[i] = boundary_phase(n, theta, i / SPINOR) * v[i] * (dagger && i % SPINOR >= 6 ? -1 : 1);
        out[i] = (1 + 3 * space + MASS) * in[i];
    }
    for (size_t x = 0; x < sites; x++) {
        size_t stride = 1;
        for (int mu = 0; mu < 4; mu++) {
            const size_t at = x / stride % (size_t)n[mu], last = (size_t)n[mu] - 1;
            const size_t up = at == last ? x - last * stride : x + stride;
            double complex boundary = mu == 3 ? 1 : space;
            boundary *= at < last ? 1 : mu == 3 ? w->links->boundary : cexp(I * M_PI * theta[mu]);
            add_hop(out + SPINOR * x, u + 9 * (4 * x + (size_t)mu), boundary, mu, -1, in + SPINOR * up);
            add_hop(out + SPINOR * up, u + 9 * (4 * x + (size_t)mu), boundary, mu, 1, in + SPINOR * x);
            stride *= (size_t)n[mu];
        }
    }
    for (size_t i = 0; i < sites * SPINOR; i++)
        out[i] *= conj(boundary_phase(n, theta, i / SPINOR)) * (dagger && i % SPINOR >= 6 ? -1 : 1);
    memory_free(u);
    memory_free(in);
    return out;
}

static void operator_is_as_defined(place where, quark_boundary b)
{
    wilson_workplace w = wilson_begin_theta(where, (int[]){ 4, 2, 6, 2 }, 1.2, b);
    wilson_set_random(w.v, 1);
    for (int dagger = 0; dagger < 2; dagger++) {
        double complex *in = wilson_numbers(w.v), *want = defined(&w, &b, in, dagger);
        clover_apply(w.out, clover_plain_links(w.links, MASS + hop_mass_shift(&b)), dagger, w.v);
        double complex *got = wilson_numbers(w.out);
        double off = 0;
        for (size_t i = 0; i < vec_count(w.v.odd) / 2; i++)
            off = worse(off, cabs(got[i] - want[i]));
        fact_close(off, 0, 1e-13, "%s, boundary %g, theta %g, %g, %g: %s v as defined, site by site",
                   place_name(where), b.t, b.theta[0], b.theta[1], b.theta[2], dagger ? "M^+" : "M");
        memory_free(in);
        memory_free(want);
        memory_free(got);
    }
    wilson_end(&w);
}

/* ---- dense matrices */

/* M by its definition, sites of one parity after those of the other: [even, odd][even, odd] */
static gsl_matrix_complex *dense_m(const wilson_workplace *w, const quark_boundary *b)
{
    const size_t n = (size_t)lattice_volume(w->l) * SPINOR;
    gsl_matrix_complex *m = gsl_matrix_complex_alloc(n, n);
    spinor_field v = spinor_field_create(w->u, 1);
    for (size_t j = 0; j < n; j++) {
        gsl_vector_complex *e = gsl_vector_complex_calloc(n / 2);
        gsl_vector_complex_set(e, j % (n / 2), GSL_COMPLEX_ONE);
        vec_zero(v.even);
        vec_zero(v.odd);
        dense_to_vec(j < n / 2 ? v.even : v.odd, e);
        double complex *in = wilson_numbers(v), *out = defined(w, b, in, false);
        vec_import(v.even, (double *)out);
        vec_import(v.odd, (double *)out);
        gsl_vector_complex *even = dense_vector(v.even), *odd = dense_vector(v.odd);
        for (size_t i = 0; i < n / 2; i++) {
            gsl_matrix_complex_set(m, i, j, gsl_vector_complex_get(even, i));
            gsl_matrix_complex_set(m, n / 2 + i, j, gsl_vector_complex_get(odd, i));
        }
        gsl_vector_complex_free(e);
        gsl_vector_complex_free(even);
        gsl_vector_complex_free(odd);
        memory_free(in);
        memory_free(out);
    }
    spinor_field_free(v);
    return m;
}

/* M_oo - M_oe M_ee^-1 M_eo by LU decomposition of the whole: its lower right corner is that of M^-1, inverted. */
static gsl_matrix_complex *schur_complement(const gsl_matrix_complex *m, double *log_det)
{
    const size_t n = m->size1, half = n / 2;
    int sign;
    gsl_matrix_complex *lu = gsl_matrix_complex_alloc(n, n), *inverse = gsl_matrix_complex_alloc(n, n);
    gsl_matrix_complex *corner = gsl_matrix_complex_alloc(half, half), *schur = gsl_matrix_complex_alloc(half, half);
    gsl_permutation *order = gsl_permutation_alloc(n), *half_order = gsl_permutation_alloc(half);
    gsl_matrix_complex_memcpy(lu, m);
    gsl_linalg_complex_LU_decomp(lu, order, &sign);
    *log_det = gsl_linalg_complex_LU_lndet(lu);
    gsl_linalg_complex_LU_invert(lu, order, inverse);
    gsl_matrix_complex_view view = gsl_matrix_complex_submatrix(inverse, half, half, half, half);
    gsl_matrix_complex_memcpy(corner, &view.matrix);
    gsl_linalg_complex_LU_decomp(corner, half_order, &sign);
    gsl_linalg_complex_LU_invert(corner, half_order, schur);
    gsl_permutation_free(order);
    gsl_permutation_free(half_order);
    gsl_matrix_complex_free(lu);
    gsl_matrix_complex_free(inverse);
    gsl_matrix_complex_free(corner);
    return schur;
}

static double matrices_apart(const gsl_matrix_complex *a, const gsl_matrix_complex *b)
{
    double worst = 0;
    for (size_t i = 0; i < a->size1; i++)
        for (size_t j = 0; j < a->size2; j++)
            worst = worse(worst, gsl_complex_abs(gsl_complex_sub(gsl_matrix_complex_get(a, i, j),
                                                                gsl_matrix_complex_get(b, i, j))));
    return worst;
}

/* Returns log det M. */
static double determinants(place where, quark_boundary b)
{
    wilson_workplace w = wilson_begin_theta(where, (int[]){ 2, 2, 2, 2 }, 1.2, b);
    const double mass = MASS + hop_mass_shift(&b);
    const clover_op op = clover_normal_operator(clover_plain_links(w.links, mass), &w.even, &w.odd, 1);
    gsl_matrix_complex *m = dense_m(&w, &b), *a = dense_operator(&op.base, 0, w.odd);
    double log_det;
    gsl_matrix_complex *mhat = schur_complement(m, &log_det), *want = gsl_matrix_complex_alloc(a->size1, a->size2);
    gsl_blas_zgemm(CblasConjTrans, CblasNoTrans, GSL_COMPLEX_ONE, mhat, mhat, GSL_COMPLEX_ZERO, want);
    fact_close(matrices_apart(a, want), 0, 1e-11, "%s: A = Mhat^+ Mhat, Mhat = M_oo - M_oe M_ee^-1 M_eo",
               place_name(where));
    hermitian h = hermitian_of(a);
    const double found = hermitian_log_det(&h) / 2 + 6 * (double)lattice_volume(w.l) * log(4 + mass);
    fact_close(found - log_det, 0, 1e-10, "%s: det M = (4 + m)^(12 V/2) det Mhat", place_name(where));
    hermitian_free(&h);
    gsl_matrix_complex_free(want);
    gsl_matrix_complex_free(mhat);
    gsl_matrix_complex_free(a);
    gsl_matrix_complex_free(m);
    wilson_end(&w);
    return found;
}

/* A whole turn at the boundary is none; other phases are felt. */
static void turns(place where)
{
    const double none = determinants(where, (quark_boundary){ .t = -1 });
    const double whole = determinants(where, (quark_boundary){ .t = -1, .theta = { 2, 0, -2 } });
    const double half = determinants(where, (quark_boundary){ .t = -1, .theta = { 1, 0, 0 } });
    const double other = determinants(where, (quark_boundary){ .t = -1, .theta = { 0.5, 0.3, -1.7 } });
    determinants(where, (quark_boundary){ .t = -1, .theta = { 0.5, 0, 0.3 }, .anisotropic = true, .space = 0.3 });
    fact_close(whole - none, 0, 1e-11, "%s: with theta = 2, 0, -2, the determinant is that of theta = 0",
               place_name(where));
    fact(fabs(half - none) > 1e-3 && fabs(other - none) > 1e-3,
         "%s: others depend on theta: log det M %.6f, %.6f, %.6f", place_name(where), none, half, other);
}

/* ---- free quarks:  M exp(ipx) s = exp(ipx) (m + sum (1 - cos p) + i sum gamma sin p) s */

static void plane_wave(place where, quark_boundary b, const int waves[4])
{
    const int extents[4] = { 4, 6, 2, 8 };
    wilson_workplace w = wilson_begin_theta(where, extents, 0, b);
    const size_t sites = (size_t)lattice_volume(w.l);
    double complex *v = memory_alloc(2 * sites * SPINOR * sizeof *v, "plane waves"), *want = v + sites * SPINOR;
    const double space = b.anisotropic ? b.space : 1;
    double p[4], diagonal = MASS, off = 0;
    for (int mu = 0; mu < 4; mu++) {
        p[mu] = (2 * M_PI * waves[mu] + (mu < 3 ? M_PI * b.theta[mu] : b.t < 0 ? M_PI : 0)) / extents[mu];
        diagonal += (mu < 3 ? space : 1) * (1 - cos(p[mu]));
    }
    for (size_t x = 0; x < sites; x++) {
        size_t rest = x;
        double phase = 0;
        for (int mu = 0; mu < 4; mu++) {
            const double whole = mu < 3 ? 2 * M_PI * waves[mu] / extents[mu] : p[mu];      /* theta is in the links */
            phase += whole * (double)(rest % (size_t)extents[mu]);
            rest /= (size_t)extents[mu];
        }
        for (int i = 0; i < SPINOR; i++)
            v[SPINOR * x + (size_t)i] = cexp(I * phase) * (1 + 0.3 * i - 0.2 * I * i * i);
        for (int i = 0; i < SPINOR; i++)
            want[SPINOR * x + (size_t)i] = diagonal * v[SPINOR * x + (size_t)i];
        for (int mu = 0; mu < 4; mu++) {                       /* i sin p gamma, as halves of 1 + gamma and 1 - gamma */
            const double half = 0.5 * sin(p[mu]) * (mu < 3 ? space : 1);
            add_projected(want + SPINOR * x, I * half, mu, 1, v + SPINOR * x);
            add_projected(want + SPINOR * x, -I * half, mu, -1, v + SPINOR * x);
        }
    }
    vec_import(w.v.even, (double *)v);
    vec_import(w.v.odd, (double *)v);
    clover_apply(w.out, clover_plain_links(w.links, MASS + hop_mass_shift(&b)), false, w.v);
    double complex *got = wilson_numbers(w.out);
    for (size_t i = 0; i < sites * SPINOR; i++)
        off = worse(off, cabs(got[i] - want[i]));
    fact_close(off, 0, 1e-12, "%s, boundary %g, theta %g, %g, %g: M of a free plane wave %d, %d, %d, %d",
               place_name(where), b.t, b.theta[0], b.theta[1], b.theta[2], waves[0], waves[1], waves[2], waves[3]);
    memory_free(got);
    memory_free(v);
    wilson_end(&w);
}

static const quark_boundary boundaries[] = {
    { .t = -1 }, { .t = 1 }, { .t = -1, .theta = { 0.4, -0.7, 1.3 } }, { .t = 1, .theta = { 0, 0, 0.5 } },
    { .t = -1, .anisotropic = true, .space = 0.3 },
    { .t = 1, .theta = { 0.4, 0, -0.5 }, .anisotropic = true, .space = 1.2 },
};

int main(void)
{
    FOR_EVERY_PLACE(where) {
        for (size_t i = 0; i < sizeof boundaries / sizeof *boundaries; i++) {
            operator_is_as_defined(where, boundaries[i]);
            plane_wave(where, boundaries[i], (int[]){ 1, 2, 1, 3 });
            plane_wave(where, boundaries[i], (int[]){ 0, 0, 0, 0 });
        }
        turns(where);
    }
    return facts_end();
}
