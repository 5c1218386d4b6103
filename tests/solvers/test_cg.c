/* test_cg.c - conjugate gradients for one shift: MILC's solutions and its counts of steps, dense solutions, mishaps. */
#include "src/solvers/solver.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/dense_operator.h"
#include "tests/operators/milc_quarks.h"
#include "tests/solvers/small_system.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdio.h>

/* Eigenvalues of K on MILC's configuration lie between these (its spectrum.json). */
#define SMALLEST 0.0020281670440093
#define LARGEST 20.961001290157434

/* |x - y| <= condition of K + shift times the residuals of both, relative to x */
static double condition(double shift)
{
    return (LARGEST + shift) / (SMALLEST + shift);
}

static const double tolerances[] = { 1e-4, 1e-6, 1e-8, 1e-10, 1e-12 };
static const struct {
    double mass;
    int milc_counts[5];               /* steps + 2: with the residuals of the start and of the end */
    double milc_residual2;            /* of the solution in the file, |r|^2/|b|^2 */
    const char *solution;
} masses[] = {
    { 0.01, { 264, 294, 323, 345, 361 }, 7.80936e-21, "cgsol_even_m0.01" },
    { 0.05, { 178, 239, 280, 313, 335 }, 7.96993e-21, "cgsol_even_m0.05" },
    { 0.5, { 23, 34, 44, 55, 66 }, 6.85324e-21, "cgsol_even_m0.5" },
};

static void against_milc(place where)
{
    const char *name = place_name(where);
    lattice *l = lattice_create_single(milc_extents);
    milc_links m = milc_links_create(l, where, PRECISION_DOUBLE);
    vec *b = milc_vector(l, ON_EVEN, where, PRECISION_DOUBLE, "src_lcg");
    vec *between = vec_create(l, ON_ODD, where, PRECISION_DOUBLE);
    vec *x = vec_create(l, ON_EVEN, where, PRECISION_DOUBLE);
    cg_space *w = cg_space_create(l, ON_EVEN, where, PRECISION_DOUBLE);
    staggered_normal_op k = staggered_normal_operator_with(milc_terms(&m, 0), between);
    for (int i = 0; i < 3; i++) {
        double shift = 4 * masses[i].mass * masses[i].mass;
        for (int t = 0; t < 5; t++) {
            vec_zero(x);
            solve_result s = cg_solve(&k.base, x, shift, b, (stop_rule){ tolerances[t], 1000 }, w);
            fact(s.converged && s.residual <= tolerances[t], "%s: m %g converges to %g", name, masses[i].mass,
                 tolerances[t]);
            fact_close(s.iterations + 2, masses[i].milc_counts[t], 2, "%s: in as many steps as MILC's", name);
        }
        vec *milc = milc_vector(l, ON_EVEN, where, PRECISION_DOUBLE, masses[i].solution);
        fact_close(relative_distance(x, milc) / condition(shift), 0, 1e-10, "%s: m %g: the solution is MILC's", name,
                   masses[i].mass);
        solve_result s = cg_solve(&k.base, milc, shift, b, (stop_rule){ 1e-10, 1000 }, w);
        fact(s.converged && s.iterations == 0, "%s: which is a start vector that is one already", name);
        fact_close(s.residual / sqrt(masses[i].milc_residual2), 1, 1e-4,         /* rounding: 1e-15 of 1e-10 */
                   "%s: and has the residual MILC gives", name);
        vec_free(milc);
    }
    cg_space_free(w);
    vec_free(x);
    vec_free(between);
    vec_free(b);
    milc_links_free(&m);
    lattice_free(l);
}

/* (2m + D) x = b on both parities: x_e = (K + 4m^2)^-1 (2m b_e - D b_o),  x_o = (b_o - D x_e) / 2m */
static void both_parities(place where)
{
    const double mass = 0.05;
    const precision p = PRECISION_DOUBLE;
    lattice *l = lattice_create_single(milc_extents);
    milc_links m = milc_links_create(l, where, p);
    staggered_terms t = milc_terms(&m, 0);
    vec *even = milc_vector(l, ON_EVEN, where, p, "src_lcg"), *odd = milc_vector(l, ON_ODD, where, p, "src_lcg");
    vec *rhs = vec_create(l, ON_EVEN, where, p), *x = vec_create(l, ON_EVEN, where, p);
    vec *y = vec_create(l, ON_ODD, where, p), *between = vec_create(l, ON_ODD, where, p);
    cg_space *w = cg_space_create(l, ON_EVEN, where, p);
    staggered_normal_op k = staggered_normal_operator_with(t, between);
    staggered_hop_with(rhs, t, odd);
    vec_combine(rhs, -1, rhs, (const double[]){ 2 * mass }, (vec *const[]){ even }, 1);
    cg_solve(&k.base, x, 4 * mass * mass, rhs, (stop_rule){ 1e-12, 1000 }, w);
    staggered_hop_with(y, t, x);
    vec_combine(y, -1 / (2 * mass), y, (const double[]){ 1 / (2 * mass) }, (vec *const[]){ odd }, 1);
    vec *want_x = milc_vector(l, ON_EVEN, where, p, "Minv_lcg_m0.05");
    vec *want_y = milc_vector(l, ON_ODD, where, p, "Minv_lcg_m0.05");
    double tolerance = 1e-10 * condition(4 * mass * mass);
    fact_close(relative_distance(x, want_x), 0, tolerance, "%s: (2m + D) x = b is MILC's on even sites",
               place_name(where));
    fact_close(relative_distance(y, want_y), 0, tolerance, "%s: and on odd ones", place_name(where));
    vec_free(want_x);
    vec_free(want_y);
    cg_space_free(w);
    vec_free(between);
    vec_free(y);
    vec_free(x);
    vec_free(rhs);
    vec_free(odd);
    vec_free(even);
    milc_links_free(&m);
    lattice_free(l);
}

static void dense_solution(place where)
{
    const double shift = 0.3;
    small_system s;
    small_create(&s, (const int[]){ 2, 4, 2, 2 }, where, PRECISION_DOUBLE);
    gsl_matrix_complex *m = dense_operator(&s.k.base, shift, s.b);
    gsl_vector_complex *b = dense_vector(s.b), *x = gsl_vector_complex_alloc(b->size);
    gsl_permutation *order = gsl_permutation_alloc(b->size);
    int sign;
    gsl_linalg_complex_LU_decomp(m, order, &sign);
    gsl_linalg_complex_LU_solve(m, order, b, x);
    vec *want = vec_create(s.l, ON_EVEN, where, PRECISION_DOUBLE);
    dense_to_vec(want, x);
    solve_result r = cg_solve(&s.k.base, s.x, shift, s.b, (stop_rule){ 1e-14, 1000 }, s.w);
    fact(r.converged, "%s: a small system converges to 1e-14", place_name(where));
    fact_close(relative_distance(s.x, want), 0, 1e-12, "%s: to the solution of the dense matrix", place_name(where));
    vec_free(want);
    gsl_permutation_free(order);
    gsl_vector_complex_free(x);
    gsl_vector_complex_free(b);
    gsl_matrix_complex_free(m);
    small_free(&s);
}

static void sources_of_any_size(place where)
{
    small_system s;
    small_create(&s, (const int[]){ 4, 4, 4, 4 }, where, PRECISION_DOUBLE);
    solve_result unit = cg_solve(&s.k.base, s.x, 0.1, s.b, (stop_rule){ 1e-12, 1000 }, s.w);
    for (int e = -60; e <= 60; e += 40) {
        vec *b = vec_create(s.l, ON_EVEN, where, PRECISION_DOUBLE);
        vec *x = vec_create(s.l, ON_EVEN, where, PRECISION_DOUBLE);
        vec_combine(b, ldexp(1, 2 * e), s.b, NULL, NULL, 0);
        solve_result r = cg_solve(&s.k.base, x, 0.1, b, (stop_rule){ 1e-12, 1000 }, s.w);
        vec_combine(x, ldexp(1, -2 * e), x, NULL, NULL, 0);
        fact(r.converged && r.iterations == unit.iterations, "%s: a source 2^%d times as large takes as many steps",
             place_name(where), 2 * e);
        fact_close(relative_distance(x, s.x), 0, 1e-13, "%s: and its solution is as many times as large",
                   place_name(where));
        vec_free(x);
        vec_free(b);
    }
    small_free(&s);
}

static void mishaps(place where)
{
    const char *name = place_name(where);
    const stop_rule stop = { 1e-10, 1000 };
    small_system s;
    small_create(&s, (const int[]){ 4, 4, 2, 4 }, where, PRECISION_DOUBLE);
    vec *zero = vec_create(s.l, ON_EVEN, where, PRECISION_DOUBLE);

    vec_copy(s.x, s.b);
    solve_result r = cg_solve(&s.k.base, s.x, 0.1, zero, stop, s.w);
    fact(r.converged && r.iterations == 0 && r.residual == 0 && vec_norm2(s.x) == 0, "%s: b = 0 has x = 0", name);

    vec_zero(s.x);
    r = cg_solve(&s.k.base, s.x, 0.001, s.b, (stop_rule){ 1e-10, 5 }, s.w);
    fact(!r.converged && r.iterations == 5, "%s: not enough steps are told", name);
    double five = r.residual;
    fact(five > 1e-10 && five < 10, "%s: with the residual they came to (%g)", name, five);
    r = cg_solve(&s.k.base, s.x, 0.001, s.b, stop, s.w);
    fact(r.converged, "%s: from there on it converges", name);

    vec_zero(s.x);
    r = cg_solve(&s.k.base, s.x, -1000, s.b, stop, s.w);
    fact(!r.converged && r.iterations == 0, "%s: an operator that is negative ends it at once", name);

    vec_zero(s.x);
    r = cg_solve(&s.k.base, s.x, 0.1, s.b, (stop_rule){ 1e-30, 1000 }, s.w);
    fact(!r.converged && r.iterations < 1000, "%s: a tolerance below rounding is given up (%d steps)", name,
         r.iterations);
    fact_close(r.residual, 0, 1e-14, "%s: at a residual that is rounding", name);

    const double bad[] = { NAN, INFINITY };
    for (int i = 0; i < 2; i++) {
        vec *b = vec_create(s.l, ON_EVEN, where, PRECISION_DOUBLE);
        vec_combine(b, bad[i], s.b, NULL, NULL, 0);
        vec_zero(s.x);
        r = cg_solve(&s.k.base, s.x, 0.1, b, stop, s.w);
        fact(!r.converged && r.iterations == 0, "%s: a source that is %g ends it at once", name, bad[i]);
        r = cg_solve(&s.k.base, b, 0.1, s.b, stop, s.w);
        fact(!r.converged && r.iterations == 0, "%s: and so does such a start", name);
        vec_free(b);
    }
    vec_free(zero);
    small_free(&s);
}

static void single_precision(place where)
{
    small_system s;
    small_create(&s, (const int[]){ 4, 4, 4, 4 }, where, PRECISION_SINGLE);
    solve_result r = cg_solve(&s.k.base, s.x, 0.1, s.b, (stop_rule){ 1e-5, 1000 }, s.w);
    fact(r.converged && r.residual <= 1e-5, "%s: single precision converges to 1e-5", place_name(where));
    r = cg_solve(&s.k.base, s.x, 0.1, s.b, (stop_rule){ 1e-12, 1000 }, s.w);
    fact(!r.converged && r.residual < 1e-5, "%s: and gives up 1e-12 (residual %g, %d restarts)", place_name(where),
         r.residual, r.restarts);
    small_free(&s);
}

static void same_bits_everywhere(precision p)
{
    small_system s[PLACES];
    solve_result r[PLACES];
    int places = 0;
    FOR_EVERY_PLACE(where) {
        small_create(&s[where], (const int[]){ 4, 6, 2, 4 }, where, p);
        r[where] = cg_solve(&s[where].k.base, s[where].x, 0.05, s[where].b, (stop_rule){ 1e-5, 1000 }, s[where].w);
        places++;
    }
    if (places == PLACES)
        fact(r[0].residual == r[1].residual && same_numbers(s[0].x, s[1].x),
             "%s precision: CPU and GPU give the same bits of the solution",
             p == PRECISION_DOUBLE ? "double" : "single");
    for (int where = 0; where < places; where++)
        small_free(&s[where]);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        if (!milc_why_not()) {
            against_milc(where);
            both_parities(where);
        }
        dense_solution(where);
        sources_of_any_size(where);
        mishaps(where);
        single_precision(where);
    }
    if (milc_why_not())
        skip("solutions are MILC's", milc_why_not());
    same_bits_everywhere(PRECISION_SINGLE);
    same_bits_everywhere(PRECISION_DOUBLE);
    return facts_end();
}
