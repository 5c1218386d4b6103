/* test_overlap.c - the overlap operator: its sign against a dense matrix, the relation of Ginsparg and Wilson, free
 * quarks in closed form, solutions, the same bits on every grid. */
#include "src/base/checksum.h"
#include "src/base/error.h"
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "tests/facts.h"
#include "tests/lattice/grid_digests.h"
#include "tests/on_every_backend.h"
#include "tests/operators/hermitian.h"
#include "tests/overlap/overlap_workplace.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_complex_math.h>
#include <math.h>

enum { SPINOR = 12 };
#define MASS 0.1

/* ---- the sign function of numbers */

static void functions(sign_method method, double lower, double upper, double error)
{
    const sign_goal goal = { .method = method, .lower = lower, .upper = upper, .error = error,
                             .poles = RATIONAL_POLES };
    sign_function s;
    failure f;
    require(sign_function_make(&s, &goal, &f), "%s", f.why);
    double worst = 0, odd = 0;
    for (int i = 0; i <= 4000; i++) {
        const double h = lower * pow(upper / lower, i / 4000.0);
        worst = worse(worst, fabs(sign_function_value(&s, h) - 1));
        odd = worse(odd, fabs(sign_function_value(&s, h) + sign_function_value(&s, -h)));
    }
    fact(worst <= error + 2e-15 && worst <= s.error + 2e-15 && s.error <= error && odd == 0,
         "%s on [%g, %g]: error %.2e, bound %.2e, requested %.0e, %d terms", sign_method_names[method], lower, upper,
         worst, s.error, error, method == SIGN_ZOLOTAREV ? s.fraction.order : s.degree);
    sign_function_free(&s);
}

static void limits(void)
{
    const sign_goal few = { .method = SIGN_ZOLOTAREV, .lower = 0.01, .upper = 6, .error = 1e-12, .poles = 5 };
    const sign_goal far = { .method = SIGN_CHEBYSHEV, .lower = 1e-4, .upper = 6, .error = 1e-12 };
    const sign_goal empty = { .method = SIGN_CHEBYSHEV, .lower = 6, .upper = 6, .error = 1e-12 };
    sign_function s;
    failure f = { .why = "" };
    const sign_goal *const all[] = { &few, &far, &empty };
    for (int i = 0; i < 3; i++) {
        const bool made = sign_function_make(&s, all[i], &f);
        fact(!made && f.why[0], "refused, with the reason: %s", f.why);
        sign_function_free(&s);
    }
}

/* ---- against the dense sign */

/* H column by column, from the Wilson operator on spinor fields. */
static gsl_matrix_complex *dense_kernel(const wilson_workplace *w, double M0)
{
    const size_t n = (size_t)lattice_volume(w->l) * SPINOR;
    gsl_matrix_complex *h = gsl_matrix_complex_alloc(n, n);
    double complex *unit = memory_alloc(n * sizeof *unit, "a column");
    for (size_t j = 0; j < n; j++) {
        unit[j] = 1;
        vec_import(w->v.even, (double *)unit);
        vec_import(w->v.odd, (double *)unit);
        unit[j] = 0;
        clover_apply(w->out, clover_plain_links(w->links, -M0), false, w->v);
        double complex *column = wilson_numbers(w->out);
        for (size_t i = 0; i < n; i++) {
            const double gamma5 = i % SPINOR < SPINOR / 2 ? 1 : -1;
            gsl_matrix_complex_set(h, i, j, gsl_complex_rect(gamma5 * creal(column[i]), gamma5 * cimag(column[i])));
        }
        memory_free(column);
    }
    memory_free(unit);
    return h;
}

static double complex *numbers_of(const wilson_workplace *w, const vec *pair)
{
    spinor_pair_get(w->v, pair);
    return wilson_numbers(w->v);
}

/* sign <- sign(H) v */
static void dense_sign(vec *sign, const wilson_workplace *w, const hermitian *h, const vec *v)
{
    const size_t n = h->eigenvalue->size;
    double complex *x = numbers_of(w, v);
    gsl_vector_complex_view view = gsl_vector_complex_view_array((double *)x, n);
    gsl_vector_complex *part = gsl_vector_complex_alloc(n);
    gsl_blas_zgemv(CblasConjTrans, GSL_COMPLEX_ONE, h->v, &view.vector, GSL_COMPLEX_ZERO, part);
    for (size_t i = 0; i < n; i++)
        if (gsl_vector_get(h->eigenvalue, i) < 0)
            gsl_vector_complex_set(part, i, gsl_complex_negative(gsl_vector_complex_get(part, i)));
    gsl_blas_zgemv(CblasNoTrans, GSL_COMPLEX_ONE, h->v, part, GSL_COMPLEX_ZERO, &view.vector);
    vec_import(w->v.even, (double *)x);
    vec_import(w->v.odd, (double *)x);
    spinor_pair_set(sign, w->v);
    gsl_vector_complex_free(part);
    memory_free(x);
}

/* D(m) v or D(m)^+ v of the dense sign. */
static void dense_overlap(vec *out, const wilson_workplace *w, const hermitian *h, double M0, bool dagger, const vec *v)
{
    vec *in = vec_create_native(v, PRECISION_DOUBLE), *turned = vec_create_native(v, PRECISION_DOUBLE);
    if (dagger) {
        spinor_pair_gamma5(in, v);
        dense_sign(turned, w, h, in);
    } else {
        dense_sign(in, w, h, v);
        spinor_pair_gamma5(turned, in);
    }
    const double b = (1 - MASS / (2 * M0)) * M0;
    vec_copy(out, v);
    vec_combine(out, b + MASS, v, &b, &turned, 1);
    vec_free(in);
    vec_free(turned);
}

static void against_dense(place where, sign_method method, int modes, double width)
{
    const overlap_params p = overlap_test_params(method, modes);
    overlap_workplace w = overlap_begin(where, (const int[]){ 2, 2, 2, 2 }, width, &p);
    gsl_matrix_complex *kernel = dense_kernel(&w.w, p.M0);
    hermitian h = hermitian_of(kernel);
    double least = INFINITY;
    for (size_t i = 0; i < h.eigenvalue->size; i++)
        least = fmin(least, fabs(gsl_vector_get(h.eigenvalue, i)));
    const char *name = sign_method_names[method];
    overlap_set_random(w.v[0], 1);
    overlap_sign(w.v[1], w.o, 0, w.v[0]);
    dense_sign(w.v[2], &w.w, &h, w.v[0]);
    fact_close(overlap_distance(w.v[1], w.v[2]), 0, 1e-12, "%s, %s, %d modes, width %g: sign(H) v of the dense matrix",
               place_name(where), name, modes, width);
    fact_close(fabs(kernel_modes_values(overlap_kernel_modes(w.o))[0]) / least, 1, 1e-10,
               "%s: the smallest |eigenvalue| of H, %.5f", place_name(where), least);
    for (int dagger = 0; dagger < 2; dagger++) {
        overlap_apply(w.v[1], w.o, MASS, dagger, w.v[0]);
        dense_overlap(w.v[2], &w.w, &h, p.M0, dagger, w.v[0]);
        fact_close(overlap_distance(w.v[1], w.v[2]), 0, 1e-12, "%s, %s: %s v of the dense sign", place_name(where),
                   name, dagger ? "D(m)^+" : "D(m)");
    }
    hermitian_free(&h);
    gsl_matrix_complex_free(kernel);
    overlap_end(&w);
}

/* ---- properties */

static void relations(place where, sign_method method, const int extents[4], int modes)
{
    const overlap_params p = overlap_test_params(method, modes);
    overlap_workplace w = overlap_begin(where, extents, 1.2, &p);
    vec **v = w.v;
    const char *name = sign_method_names[method];
    overlap_set_random(v[0], 1);
    overlap_set_random(v[1], 2);
    overlap_apply(v[2], w.o, MASS, false, v[0]);
    overlap_apply(v[3], w.o, MASS, true, v[1]);
    const complex_number left = vec_dot(v[1], v[2]), right = vec_dot(v[3], v[0]);
    fact_close(hypot(left.re - right.re, left.im - right.im) / sqrt(vec_norm2(v[1]) * vec_norm2(v[2])), 0, 1e-13,
               "%s, %s: w^+ D v = (D^+ w)^+ v", place_name(where), name);
    spinor_pair_gamma5(v[3], v[0]);
    overlap_apply(v[4], w.o, MASS, false, v[3]);
    spinor_pair_gamma5(v[3], v[4]);
    overlap_apply(v[4], w.o, MASS, true, v[0]);
    fact_close(overlap_distance(v[3], v[4]), 0, 1e-12, "%s, %s: gamma5 D gamma5 = D^+", place_name(where), name);

    overlap_apply(v[2], w.o, 0, false, v[0]);                   /* D v */
    spinor_pair_gamma5(v[1], v[2]);                             /* gamma5 D v */
    overlap_apply(v[3], w.o, 0, false, v[1]);                   /* D gamma5 D v */
    spinor_pair_gamma5(v[2], v[0]);
    overlap_apply(v[4], w.o, 0, false, v[2]);                   /* D gamma5 v */
    vec_axpy(v[4], 1, v[1]);
    vec_combine(v[3], 1 / p.M0, v[3], NULL, NULL, 0);
    fact_close(overlap_distance(v[4], v[3]), 0, 1e-12, "%s, %s: gamma5 D + D gamma5 = D gamma5 D / M0",
               place_name(where), name);

    vec *half = spinor_half_create(w.w.u), *normal = spinor_half_create(w.w.u), *want = spinor_half_create(w.w.u);
    for (int c = 0; c < 2; c++) {
        spinor_half_get(half, v[0], c);
        overlap_normal(normal, w.o, MASS, c, 0, half);
        spinor_half_embed(v[1], half, c);
        overlap_apply(v[2], w.o, MASS, false, v[1]);
        overlap_apply(v[3], w.o, MASS, true, v[2]);
        spinor_half_get(want, v[3], c);
        fact_close(overlap_distance(normal, want), 0, 1e-12, "%s, %s: D^+D on chirality %d, with one sign",
                   place_name(where), name, c);
        spinor_half_get(want, v[3], 1 - c);
        fact_close(sqrt(vec_norm2(want) / vec_norm2(v[3])), 0, 1e-12, "%s: and it keeps the chirality",
                   place_name(where));
    }
    vec_free(half);
    vec_free(normal);
    vec_free(want);
    overlap_end(&w);
}

/* D(m) exp(ipx) s = exp(ipx) (a + b D_w(p) / omega(p)) s, omega^2 = sum sin^2 p + (sum (1 - cos p) - M0)^2 */
static void free_quarks(place where, sign_method method, double boundary)
{
    const int n[4] = { 4, 2, 4, 6 }, wave[4] = { 1, 1, 2, 1 };
    overlap_params p = overlap_test_params(method, 10);
    p.boundary.t = boundary;
    overlap_workplace w = overlap_begin(where, n, 0, &p);
    const size_t sites = (size_t)lattice_volume(w.w.l);
    double complex *v = memory_alloc(sites * SPINOR * sizeof *v, "a plane wave");
    double sine2 = 0, diagonal = -p.M0, k[4];
    for (int mu = 0; mu < 4; mu++) {
        k[mu] = (2 * M_PI * wave[mu] + (mu == 3 && boundary < 0 ? M_PI : 0)) / n[mu];
        sine2 += sin(k[mu]) * sin(k[mu]);
        diagonal += 1 - cos(k[mu]);
    }
    for (size_t x = 0; x < sites; x++) {
        size_t rest = x;
        double phase = 0;
        for (int mu = 0; mu < 4; mu++) {
            phase += k[mu] * (double)(rest % (size_t)n[mu]);
            rest /= (size_t)n[mu];
        }
        for (int i = 0; i < SPINOR; i++)
            v[SPINOR * x + (size_t)i] = cexp(I * phase) * (1 + 0.3 * i - 0.2 * I * i * i);
    }
    vec_import(w.w.v.even, (double *)v);
    vec_import(w.w.v.odd, (double *)v);
    spinor_pair_set(w.v[0], w.w.v);
    clover_apply(w.w.out, clover_plain_links(w.w.links, -p.M0), false, w.w.v);
    spinor_pair_set(w.v[1], w.w.out);
    const double b = (p.M0 - MASS / 2) / sqrt(sine2 + diagonal * diagonal);
    vec_combine(w.v[2], p.M0 + MASS / 2, w.v[0], &b, &w.v[1], 1);
    overlap_apply(w.v[3], w.o, MASS, false, w.v[0]);
    fact_close(overlap_distance(w.v[3], w.v[2]), 0, 1e-12, "%s, %s, boundary %g: free quarks (%d of 10 modes)",
               place_name(where), sign_method_names[method], boundary, kernel_modes_count(overlap_kernel_modes(w.o)));
    memory_free(v);
    overlap_end(&w);
}

/* ---- solutions */

static void solutions(place where, sign_method method)
{
    const overlap_params p = overlap_test_params(method, 8);
    overlap_workplace w = overlap_begin(where, (const int[]){ 4, 2, 2, 4 }, 1.2, &p);
    overlap_work spent[2];
    overlap_set_random(w.v[0], 1);
    for (int relaxed = 0; relaxed < 2; relaxed++) {
        const overlap_system system = { MASS, { 1e-10, 1000 }, relaxed };
        const overlap_work before = overlap_work_done(w.o);
        const overlap_solution s = overlap_solve(w.v[1], w.o, w.solver, &system, w.v[0]);
        spent[relaxed] = overlap_work_done(w.o);
        spent[relaxed].iterations -= before.iterations;
        spent[relaxed].applications -= before.applications;
        overlap_apply(w.v[2], w.o, MASS, false, w.v[1]);
        fact(s.converged && s.residual <= 1e-10 && overlap_distance(w.v[2], w.v[0]) <= 1.001e-10,
             "%s, %s%s: |v - D x| is %.1e |v|, requested 1e-10, after %d iterations in %d solves", place_name(where),
             sign_method_names[method], relaxed ? ", relaxed" : "", s.residual, s.iterations, s.solves);
    }
    fact(spent[1].iterations < 0.75 * (double)spent[0].iterations
             && spent[1].applications <= spent[0].applications + 8,
         "%s, %s: relaxed signs take %lld inner iterations in %lld signs, full ones %lld in %lld", place_name(where),
         sign_method_names[method], (long long)spent[1].iterations, (long long)spent[1].applications,
         (long long)spent[0].iterations, (long long)spent[0].applications);
    const overlap_system shortened = { MASS, { 1e-10, 3 }, true };
    const overlap_solution s = overlap_solve(w.v[1], w.o, w.solver, &shortened, w.v[0]);
    fact(!s.converged && s.iterations <= 3 && s.residual > 1e-10, "%s: a solve that is cut short says so",
         place_name(where));
    overlap_end(&w);
}

/* ---- mixed precision */

/* Signs in single precision against those in double, at the least accuracy that single precision has, and at a low one,
 * which takes less work. */
static void single_signs(place where, sign_method method, const int extents[4], double width)
{
    overlap_params p = overlap_test_params(method, 8);
    p.mixed = true;
    overlap_workplace w = overlap_begin(where, extents, width, &p);
    const char *name = sign_method_names[method];
    const sign_function *f = overlap_sign_function(w.o);
    const double least = overlap_single_least(w.o), accuracies[] = { least, fmax(0.01, 10 * least) };
    int64_t spent[3];
    overlap_set_random(w.v[0], 1);
    overlap_sign(w.v[1], w.o, 0, w.v[0]);
    spent[0] = overlap_work_done(w.o).iterations;
    overlap_sign(w.v[2], w.o, least / 2, w.v[0]);
    fact(overlap_work_done(w.o).single == 0 && overlap_distance(w.v[2], w.v[1]) <= least / 2,
         "%s, %s: a sign of higher accuracy than that of single precision is in double", place_name(where), name);
    for (int i = 0; i < 2; i++) {
        const int64_t before = overlap_work_done(w.o).iterations;
        overlap_sign(w.v[2], w.o, accuracies[i], w.v[0]);
        spent[i + 1] = overlap_work_done(w.o).iterations - before;
        const double off = overlap_distance(w.v[2], w.v[1]);
        fact(off <= accuracies[i] && off > 1e-9 && overlap_work_done(w.o).single == i + 1,
             "%s, %s, |H| from %.3f: a sign of accuracy %.1e in single precision is off by %.1e", place_name(where),
             name, f->lower, accuracies[i], off);
    }
    fact(spent[2] < spent[1] && spent[1] < spent[0], "%s, %s: %lld, %lld and %lld products with H^2", place_name(where),
         name, (long long)spent[0], (long long)spent[1], (long long)spent[2]);
    overlap_end(&w);
}

static void mixed_solutions(place where, sign_method method)
{
    overlap_params p = overlap_test_params(method, 8);
    p.mixed = true;
    overlap_workplace w = overlap_begin(where, (const int[]){ 4, 2, 2, 4 }, 1.2, &p);
    overlap_set_random(w.v[0], 1);
    const overlap_system system = { MASS, { 1e-10, 1000 }, true };
    const overlap_solution s = overlap_solve(w.v[1], w.o, w.solver, &system, w.v[0]);
    const overlap_work spent = overlap_work_done(w.o);
    overlap_apply(w.v[2], w.o, MASS, false, w.v[1]);
    fact(s.converged && s.residual <= 1e-10 && overlap_distance(w.v[2], w.v[0]) <= 1.001e-10 && s.solves > 2,
         "%s, %s, mixed: |v - D x| is %.1e |v|, requested 1e-10, after %d iterations in %d solves", place_name(where),
         sign_method_names[method], s.residual, s.iterations, s.solves);
    fact(spent.single == s.iterations && spent.applications - spent.single <= 2 * s.solves,
         "%s: %lld of %lld signs in single precision: all but those of residuals and of D^+", place_name(where),
         (long long)spent.single, (long long)spent.applications);
    overlap_end(&w);
}

/* ---- the same bits */

static uint64_t digest_solution(lattice *l, place where)
{
    uint64_t digest = DIGEST64_START;
    failure f;
    gauge *u = gauge_create(l, where, PRECISION_DOUBLE);
    gauge_set_random(u, rng_key_for(5, 0, 0, RNG_TEST));
    for (int method = 0; method < SIGN_METHODS; method++) {
        const overlap_params p = { .M0 = 1.4, .boundary = { .t = -1 }, .sign = (sign_method)method, .modes = 2,
                                   .poles = RATIONAL_POLES, .accuracy = 1e-5, .mixed = true,
                                   .max_iterations = 10000 };
        overlap *o = overlap_create(&p, u);
        overlap_solver *solver = overlap_solver_create(u);
        vec *b = spinor_pair_create(u), *x = spinor_pair_create(u);
        const overlap_system system = { 1, { 0.03, 1000 }, true };
        require(overlap_update(o, u, rng_key_for(3, 0, 0, RNG_TEST), 0, &f), "%s", f.why);
        overlap_set_random(b, 1);
        const overlap_solution s = overlap_solve(x, o, solver, &system, b);
        require(s.converged, "the solve did not converge");
        const double numbers[] = { vec_norm2(x), vec_dot(b, x).re, vec_dot(b, x).im, s.residual };
        digest = digest64(digest, numbers, sizeof numbers);
        vec_free(b);
        vec_free(x);
        overlap_solver_free(solver);
        overlap_free(o);
    }
    gauge_free(u);
    return digest;
}

int main(void)
{
    for (int method = 0; method < SIGN_METHODS; method++) {
        functions((sign_method)method, 0.05, 6.6, 1e-12);
        functions((sign_method)method, 0.3, 6.6, 1e-6);
        functions((sign_method)method, 0.3, 6.6, 1e-13);
    }
    limits();
    FOR_EVERY_PLACE(where) {
        for (int method = 0; method < SIGN_METHODS; method++) {
            against_dense(where, (sign_method)method, 1, 1.2);
            against_dense(where, (sign_method)method, 6, 1.2);
            against_dense(where, (sign_method)method, 6, 2);
            relations(where, (sign_method)method, (const int[]){ 2, 2, 2, 2 }, 6);
            relations(where, (sign_method)method, (const int[]){ 4, 2, 4, 6 }, 8);
            free_quarks(where, (sign_method)method, -1);
            free_quarks(where, (sign_method)method, 1);
            solutions(where, (sign_method)method);
            single_signs(where, (sign_method)method, (const int[]){ 4, 2, 4, 6 }, 1.2);
            single_signs(where, (sign_method)method, (const int[]){ 4, 4, 4, 4 }, 2);
            mixed_solutions(where, (sign_method)method);
        }
        same_on_grids(where, (const int[]){ 4, 4, 4, 4 }, digest_solution, "solutions of overlap quarks");
    }
    return facts_end();
}
