/* test_cg_mixed.c - conjugate gradients in mixed precision: as good as in double, in as many steps, and what happens
 * where low precision, or an operator in it, fails. */
#include "src/solvers/mixed_space.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/milc_quarks.h"
#include "tests/solvers/mixed_pair.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>

enum { ALWAYS = 1000000 };

static const int extents[4] = { 4, 4, 4, 4 };
static const stop_rule stop = { 1e-10, 2000 };

/* The pair's own system, from the x that it has. */
static mixed_result solve_system(mixed_pair *m, const linop *low, double shift, stop_rule until, const mixed_rule *rule)
{
    return mixed_pair_solve(m, low, (mixed_task){ .x = m->s.x, .shift = shift, .b = m->s.b, .stop = until }, rule);
}

static mixed_result solve(mixed_pair *m, const linop *low, double shift, const mixed_rule *rule)
{
    vec_zero(m->s.x);
    return solve_system(m, low, shift, stop, rule);
}

/* Many steps, far fewer than the space has dimensions: as on the lattices of physics. */
static void light_mass(place where)
{
    const double mass = 0.0128, shift = 4 * mass * mass;
    const double longer[LOWS] = { [LOW_SINGLE] = 1.02, [LOW_HALF] = 1.06, [LOW_INT20] = 1.06, [LOW_INT30] = 1.02 };
    const low_kind kinds[] = { LOW_SINGLE, LOW_HALF, LOW_INT20, LOW_INT30 };
    const stop_rule many = { 1e-10, 6000 };
    const mixed_rule rule = mixed_rule_default();
    mixed_rule naive = rule;
    naive.refinements = MIXED_NAIVE;
    double pure = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s, double-%s", place_name(where), low_names[kinds[i]]);
        mixed_pair m;
        mixed_pair_create(&m, (const int[]){ 6, 6, 6, 8 }, where, kinds[i]);
        const linop *high = &m.s.k.base, *low = &m.low.base;
        if (i == 0) {
            pure = cg_solve(high, m.s.x, shift, m.s.b, many, m.s.w).iterations;
            vec_zero(m.s.x);
        }
        mixed_result r = solve_system(&m, low, shift, many, &rule);
        double is = true_residual_of(high, shift, m.s.x, m.s.b);
        fact(r.solve.converged && is <= 1e-10, "%s: a light mass converges to 1e-10 (%g)", name, is);
        fact_close(r.solve.residual / is, 1, 1e-3, "%s: which is what is told", name);
        fact(r.solve.iterations <= longer[kinds[i]] * pure, "%s: in %d steps, in double %g", name, r.solve.iterations,
             pure);
        fact(r.record.low_iterations == r.solve.iterations && r.record.high_iterations == 0 && r.record.switches == 0,
             "%s: all of them in low precision, by one method", name);
        fact(r.record.updates >= 8 && r.record.residuals == r.record.updates + 1 &&
             r.record.reprojections == r.record.updates - 1,
             "%s: with new residuals, and directions that go with them (%d)", name, r.record.updates);
        if (kinds[i] == LOW_HALF) {
            vec_zero(m.s.x);
            r = solve_system(&m, low, shift, many, &naive);
            fact(!r.solve.converged || r.record.switches > 0,
                 "%s: which reliable updates do not reach without refinements (%g after %d steps)", name,
                 r.solve.residual, r.solve.iterations);
        }
        mixed_pair_free(&m);
    }
}

/* More steps than there are dimensions: what directions have lost of each other tells. */
static void refinements(place where)
{
    const char *name = place_name(where);
    const double shift = 1e-5;
    const stop_rule many = { 1e-10, 20000 };
    const mixed_rule rule = mixed_rule_default();
    mixed_rule naive = rule;
    naive.refinements = MIXED_NAIVE;
    mixed_pair m;
    mixed_pair_create(&m, (const int[]){ 4, 4, 4, 8 }, where, LOW_SINGLE);
    mixed_result good = solve_system(&m, &m.low.base, shift, many, &rule);
    vec_zero(m.s.x);
    mixed_result bad = solve_system(&m, &m.low.base, shift, many, &naive);
    fact(good.solve.converged && good.record.switches == 0, "%s: a condition of 10^6 is for reliable updates", name);
    fact(bad.solve.iterations > 1.15 * good.solve.iterations || bad.record.switches > 0,
         "%s: without their refinements they take longer, or fail (%d steps; %d with them)", name,
         bad.solve.iterations, good.solve.iterations);
    fact(bad.solve.residual <= 1e-10, "%s: and come to the same in the end", name);
    mixed_pair_free(&m);
}

static void against_milc(place where)
{
    /* The smallest eigenvalues of so small a lattice are far apart: 343 steps at m 0.01 are that few because double
     * precision finds them one by one, and single precision finds some again. */
    const struct { double mass; int milc_count; double longer; const char *solution; } masses[] = {
        { 0.01, 345, 1.4, "cgsol_even_m0.01" }, { 0.05, 313, 1.03, "cgsol_even_m0.05" },
        { 0.5, 55, 1.03, "cgsol_even_m0.5" },
    };
    const double smallest = 0.0020281670440093, largest = 20.961001290157434;
    const mixed_rule rule = mixed_rule_default();
    const char *name = place_name(where);
    lattice *l = lattice_create_single(milc_extents);
    milc_links links = milc_links_create(l, where, PRECISION_DOUBLE);
    low_operator low;
    low_operator_create(&low, milc_terms(&links, 0), LOW_SINGLE);
    vec *b = milc_vector(l, ON_EVEN, where, PRECISION_DOUBLE, "src_lcg");
    vec *x = vec_create(l, ON_EVEN, where, PRECISION_DOUBLE), *like = low_vec(l, ON_EVEN, where, LOW_SINGLE);
    vec *between = vec_create(l, ON_ODD, where, PRECISION_DOUBLE);
    staggered_normal_op high = staggered_normal_operator_with(milc_terms(&links, 0), between);
    cg_space *space = cg_space_create(l, ON_EVEN, where, PRECISION_DOUBLE);
    mixed_space *w = mixed_space_create(space, like);
    const low_system by = { &low.base, w, NULL };
    for (int i = 0; i < 3; i++) {
        double shift = 4 * masses[i].mass * masses[i].mass, condition = (largest + shift) / (smallest + shift);
        vec *milc = milc_vector(l, ON_EVEN, where, PRECISION_DOUBLE, masses[i].solution);
        vec_zero(x);
        mixed_task task = { .x = x, .shift = shift, .b = b, .stop = stop };
        mixed_result r = cg_solve_mixed(&high.base, &by, task, &rule);
        fact(r.solve.converged && r.record.switches == 0, "%s: m %g converges to 1e-10", name, masses[i].mass);
        fact_close(relative_distance(x, milc) / condition, 0, 2e-10, "%s: to MILC's solution", name);
        fact(r.solve.iterations <= masses[i].longer * (masses[i].milc_count - 2), "%s: in %d steps, MILC's in %d", name,
             r.solve.iterations, masses[i].milc_count - 2);
        vec_free(milc);
    }
    mixed_space_free(w);
    cg_space_free(space);
    vec_free(between);
    vec_free(like);
    vec_free(x);
    vec_free(b);
    low_operator_free(&low);
    milc_links_free(&links);
    lattice_free(l);
}

static void sources_of_any_size(place where)
{
    const mixed_rule rule = mixed_rule_default();
    mixed_pair m;
    mixed_pair_create(&m, extents, where, LOW_SINGLE);
    mixed_result unit = solve(&m, &m.low.base, 0.1, &rule);
    for (int e = -300; e <= 300; e += 200) {
        vec *b = vec_create(m.s.l, ON_EVEN, where, PRECISION_DOUBLE);
        vec *x = vec_create(m.s.l, ON_EVEN, where, PRECISION_DOUBLE);
        vec_combine(b, ldexp(1, e), m.s.b, NULL, NULL, 0);
        const mixed_task task = { .x = x, .shift = 0.1, .b = b, .stop = stop };
        mixed_result r = mixed_pair_solve(&m, &m.low.base, task, &rule);
        vec_combine(x, ldexp(1, -e), x, NULL, NULL, 0);
        fact(r.solve.converged && r.solve.iterations == unit.solve.iterations && r.record.switches == 0,
             "%s: a source 2^%d times as large takes as many steps", place_name(where), e);
        fact(same_numbers(x, m.s.x), "%s: and its solution is as many times as large", place_name(where));
        vec_free(x);
        vec_free(b);
    }
    mixed_pair_free(&m);
}

/* What an operator in low precision may come to, and who ends the solve. */
static void wrong_operators(place where)
{
    const struct {
        const char *what;
        double more, factor;
        int right, wrong;
        mixed_failure first;
        mixed_method last;
    } operators[] = {
        { "negative", -1000, 1, 0, ALWAYS, FAILED_CURVATURE, BY_HIGH_PRECISION },
        { "NaN", 0, NAN, 0, ALWAYS, FAILED_NUMBERS, BY_HIGH_PRECISION },
        { "NaN after some iterations", 0, NAN, 20, ALWAYS, FAILED_NUMBERS, BY_HIGH_PRECISION },
        { "another one", 20, 1, 0, ALWAYS, FAILED_RESIDUAL, BY_HIGH_PRECISION },
        { "half of itself, so that corrections overshoot", 0, 0.4, 0, ALWAYS, FAILED_RESIDUAL, BY_HIGH_PRECISION },
        { "negative once", -1000, 1, 20, 1, FAILED_CURVATURE, BY_DEFECT_CORRECTION },
        { "NaN once", 0, NAN, 20, 1, FAILED_NUMBERS, BY_DEFECT_CORRECTION },
    };
    const char *name = place_name(where);
    const double shift = 0.01;
    const mixed_rule rule = mixed_rule_default();
    mixed_pair m;
    mixed_pair_create(&m, extents, where, LOW_SINGLE);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        int applications;
        wrong_operator a = wrong_operator_of(&m.low.base, operators[i].more, operators[i].factor, operators[i].right,
                                             operators[i].wrong, &applications);
        mixed_result r = solve(&m, &a.base, shift, &rule);
        double is = true_residual_of(&m.s.k.base, shift, m.s.x, m.s.b);
        fact(r.solve.converged && is <= stop.tolerance, "%s: an operator in low precision that is %s: converges (%g)",
             name, operators[i].what, is);
        fact(r.record.why[BY_RELIABLE_UPDATES] == operators[i].first, "%s: reliable updates fail: %s", name,
             mixed_failure_names[r.record.why[BY_RELIABLE_UPDATES]]);
        fact(r.record.last == operators[i].last && r.record.switches == (int)operators[i].last,
             "%s: it ends by %s, after %d switches", name, mixed_method_names[r.record.last], r.record.switches);
        fact(r.record.low_iterations + r.record.high_iterations == r.solve.iterations &&
                 r.solve.iterations <= stop.max_iterations &&
                 r.record.switched_at[BY_RELIABLE_UPDATES] <= r.record.low_iterations,
             "%s: every step is counted (%d low, %d high)", name, r.record.low_iterations, r.record.high_iterations);
        if (operators[i].first == FAILED_RESIDUAL && operators[i].factor < 1)
            fact(r.record.updates - r.record.cycles == rule.increases + 1,
                 "%s: each update finds a larger residual: reliable updates end after %d of them", name,
                 r.record.updates - r.record.cycles);
        fact((r.record.cycles > 0) == (operators[i].last == BY_DEFECT_CORRECTION ||
                                       operators[i].first == FAILED_RESIDUAL), "%s: cycles of correction too", name);
    }
    mixed_pair_free(&m);
}

/* What updates in a row have found, and when that is a failure. */
static void patience_with_residuals(void)
{
    const mixed_rule rule = mixed_rule_default();
    mixed_progress p = mixed_progress_from(1);
    mixed_failure why = NO_FAILURE;
    int updates = 0;
    for (double rr = 1.1; !why && updates < 100; rr *= 1.1, updates++)
        why = mixed_progress_seen(&p, &rule, rr);
    fact(why == FAILED_RESIDUAL && updates == 3, "a residual that grows three times in a row is a failure (%d)",
         updates);

    p = mixed_progress_from(1);
    for (why = NO_FAILURE, updates = 0; !why && updates < 100; updates++)
        why = mixed_progress_seen(&p, &rule, updates % 3 == 2 ? 0.9 : 1 + 0.1 * (updates % 3));
    fact(why == FAILED_RESIDUAL && updates == 11,
         "so are eleven updates in which it never falls to half, though it does not grow three times (%d)", updates);

    p = mixed_progress_from(1);
    double rr = 1;
    for (why = NO_FAILURE, updates = 0; !why && updates < 100; updates++) {
        why = mixed_progress_seen(&p, &rule, rr);
        rr *= updates % 10 == 9 ? 0.1 : updates % 3 == 2 ? 0.9 : 1.02;
    }
    fact(why == NO_FAILURE, "one that falls to half every ten updates is none");
    fact(mixed_progress_seen(&p, &rule, NAN) == FAILED_NUMBERS, "a NaN is a failure at once");
}

/* An operator whose <p, A p> is too large by a factor: steps are too short, and the residual hardly falls. */
typedef struct { linop base; const linop *of; double factor; } short_steps;

static double large_dot(const linop *a, vec *out, double shift, const vec *in, double guess)
{
    const short_steps *s = (const short_steps *)a;
    return s->factor * s->of->apply_dot(s->of, out, shift, in, guess);
}

static void patience_with_steps(place where)
{
    const char *name = place_name(where);
    const mixed_rule rule = mixed_rule_default();
    mixed_pair m;
    mixed_pair_create(&m, (const int[]){ 4, 4, 2, 4 }, where, LOW_SINGLE);
    const linop base = { .apply_dot = large_dot, .cost = m.low.base.cost };
    const short_steps a = { base, &m.low.base, 1e5 };
    for (int n = 990; n <= 2020; n += 515) {
        vec_zero(m.s.x);
        mixed_result r = solve_system(&m, &a.base, 1, (stop_rule){ 1e-10, n }, &rule);
        fact(r.record.low_iterations == n && r.record.updates == n / 1000 + 1,
             "%s: %d steps in which the residual hardly falls: it is computed anew every thousand, and at the end (%d)",
             name, n, r.record.updates);
    }
    mixed_pair_free(&m);
}

/* Corrections that overshoot make x worse from update to update. */
static void best_solution(place where)
{
    const char *name = place_name(where);
    const mixed_rule rule = mixed_rule_default();
    int applications;
    mixed_pair m;
    mixed_pair_create(&m, extents, where, LOW_SINGLE);
    wrong_operator a = wrong_operator_of(&m.low.base, 0, 0.3, 0, ALWAYS, &applications);
    for (int n = 40; n <= 80; n += 20) {
        vec_zero(m.s.x);
        mixed_result r = solve_system(&m, &a.base, 0.3, (stop_rule){ 1e-10, n }, &rule);
        double is = true_residual_of(&m.s.k.base, 0.3, m.s.x, m.s.b);
        fact(!r.solve.converged && r.record.updates > 0 && is <= 1,
             "%s: after %d steps that lead astray, x is not worse than the start (%g)", name, n, is);
        fact_close(r.solve.residual, is, 1e-12, "%s: which is what is told", name);
    }
    mixed_pair_free(&m);
}

static void mishaps(place where)
{
    const char *name = place_name(where);
    const mixed_rule rule = mixed_rule_default();
    mixed_pair m;
    mixed_pair_create(&m, (const int[]){ 4, 4, 2, 4 }, where, LOW_SINGLE);
    const linop *low = &m.low.base;
    vec *b = vec_create(m.s.l, ON_EVEN, where, PRECISION_DOUBLE), *x = m.s.x;

    vec_copy(x, m.s.b);
    mixed_result r = mixed_pair_solve(&m, low, (mixed_task){ .x = x, .shift = 0.1, .b = b, .stop = stop }, &rule);
    fact(r.solve.converged && r.solve.iterations == 0 && r.solve.residual == 0 && vec_norm2(x) == 0,
         "%s: b = 0 has x = 0", name);

    vec_zero(x);
    r = solve_system(&m, low, 0.001, (stop_rule){ 1e-10, 25 }, &rule);
    fact(!r.solve.converged && r.solve.iterations == 25, "%s: not enough steps are told", name);
    double is = true_residual_of(&m.s.k.base, 0.001, x, m.s.b);
    fact_close(r.solve.residual / is, 1, 1e-10, "%s: with the residual they came to (%g)", name, is);
    r = solve_system(&m, low, 0.001, stop, &rule);
    fact(r.solve.converged, "%s: from there on it converges", name);
    vec_zero(x);
    r = solve_system(&m, low, 0.001, (stop_rule){ 1e-10, 0 }, &rule);
    fact(!r.solve.converged && r.solve.iterations == 0 && r.solve.residual == 1, "%s: no steps bring nothing", name);

    r = solve_system(&m, low, -1000, stop, &rule);
    fact(!r.solve.converged && r.solve.iterations == 0 && r.record.last == BY_HIGH_PRECISION,
         "%s: an operator that is negative is so for every method", name);

    vec_zero(x);
    r = solve_system(&m, low, 0.1, (stop_rule){ 1e-30, 20000 }, &rule);
    fact(!r.solve.converged && r.solve.iterations < 20000, "%s: a tolerance below rounding is given up (%d steps)",
         name, r.solve.iterations);
    fact_close(r.solve.residual, 0, 1e-14, "%s: at a residual that is rounding", name);

    const double bad[] = { NAN, INFINITY };
    for (int i = 0; i < 2; i++) {
        vec_combine(b, bad[i], m.s.b, NULL, NULL, 0);
        vec_zero(x);
        r = mixed_pair_solve(&m, low, (mixed_task){ .x = x, .shift = 0.1, .b = b, .stop = stop }, &rule);
        fact(!r.solve.converged && r.solve.iterations == 0, "%s: a source that is %g ends it at once", name, bad[i]);
        r = mixed_pair_solve(&m, low, (mixed_task){ .x = b, .shift = 0.1, .b = m.s.b, .stop = stop }, &rule);
        fact(!r.solve.converged && r.solve.iterations == 0, "%s: and so does such a start", name);
    }
    vec_free(b);
    mixed_pair_free(&m);
}

/* Double with double is double, in other words. */
static void one_precision(place where)
{
    const mixed_rule rule = mixed_rule_default();
    mixed_pair m;
    mixed_pair_create(&m, extents, where, LOW_DOUBLE);
    solve_result pure = cg_solve(&m.s.k.base, m.s.x, 0.3, m.s.b, stop, m.s.w);
    mixed_result r = solve(&m, &m.low.base, 0.3, &rule);
    fact(r.solve.converged && r.record.switches == 0, "%s: double precision in both roles converges",
         place_name(where));
    fact_close(r.solve.iterations, pure.iterations, 2, "%s: in as many steps as by itself",
               place_name(where));
    mixed_pair_free(&m);
}

static void same_bits_everywhere(low_kind kind)
{
    const mixed_rule rule = mixed_rule_default();
    const int threads = omp_get_max_threads(), small[] = { 4, 6, 2, 4 };
    mixed_pair m[PLACES], one;
    mixed_result r[PLACES];
    int places = 0;
    FOR_EVERY_PLACE(where) {
        mixed_pair_create(&m[where], small, where, kind);
        r[where] = solve(&m[where], &m[where].low.base, 0.01, &rule);
        places++;
    }
    if (places == PLACES)
        fact(r[0].solve.residual == r[1].solve.residual && same_numbers(m[0].s.x, m[1].s.x),
             "double-%s: CPU and GPU give the same bits of the solution", low_names[kind]);
    for (int n = 1; n <= 3; n += 2) {
        omp_set_num_threads(n);
        mixed_pair_create(&one, small, PLACE_CPU, kind);
        solve(&one, &one.low.base, 0.01, &rule);
        fact(same_numbers(one.s.x, m[PLACE_CPU].s.x), "double-%s: %d threads give the same bits", low_names[kind], n);
        mixed_pair_free(&one);
    }
    omp_set_num_threads(threads);
    for (int where = 0; where < places; where++)
        mixed_pair_free(&m[where]);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        light_mass(where);
        refinements(where);
        if (!milc_why_not())
            against_milc(where);
        sources_of_any_size(where);
        wrong_operators(where);
        best_solution(where);
        patience_with_steps(where);
        mishaps(where);
        one_precision(where);
    }
    if (milc_why_not())
        skip("solutions are MILC's", milc_why_not());
    for (low_kind kind = LOW_SINGLE; kind < LOWS; kind++)
        same_bits_everywhere(kind);
    patience_with_residuals();
    return facts_end();
}
