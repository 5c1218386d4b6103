/* test_multishift_mixed.c - many shifts in mixed precision: the solutions of double precision, refined only where they
 * must be; and mishaps. */
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/milc_quarks.h"
#include "tests/solvers/mixed_pair.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

/* Eigenvalues of K on MILC's configuration lie between these (its spectrum.json). */
#define SMALLEST 0.0019941
#define LARGEST 20.961001290157434

/* Solutions like `high`, and what low precision needs like `low`. */
typedef struct { int count; vec *x[SHIFTS_MAX], *x_low[SHIFTS_MAX], *p_low[SHIFTS_MAX]; } families;

static families families_create(int count, lattice *l, place where, low_kind low)
{
    families f = { .count = count };
    for (int k = 0; k < count; k++) {
        f.x[k] = vec_create(l, ON_EVEN, where, PRECISION_DOUBLE);
        f.x_low[k] = low_vec(l, ON_EVEN, where, low);
        f.p_low[k] = low_vec(l, ON_EVEN, where, low);
    }
    return f;
}

static void families_free(families *f)
{
    for (int k = 0; k < f->count; k++) {
        vec_free(f->x[k]);
        vec_free(f->x_low[k]);
        vec_free(f->p_low[k]);
    }
}

static multishift_task task_of(const families *f, const shifted *system, const vec *b)
{
    return (multishift_task){ .b = b, .system = system, .count = f->count, .x = f->x, .x_low = f->x_low,
                              .p_low = f->p_low };
}

static double largest_residual(const linop *a, const families *f, const shifted *system, const vec *b)
{
    double worst = 0;
    for (int k = 0; k < f->count; k++)
        worst = worse(worst, true_residual_of(a, system[k].shift, f->x[k], b) / system[k].tolerance);
    return worst;
}

/* The poles of a force, to what forces are satisfied with and to more. */
static void light_poles(place where, low_kind inner, low_kind refining)
{
    const struct { double tolerance; int milc_count; } runs[] = {            /* steps + 1 */
        { 5e-4, 236 }, { 1e-4, 262 }, { 1e-6, 293 }, { 1e-8, 322 }, { 1e-10, 344 },
    };
    char name[64];
    snprintf(name, sizeof name, "%s, double-%s-%s", place_name(where), low_names[inner], low_names[refining]);
    const mixed_rule rule = mixed_rule_default();
    const milc_function f = milc_rational(0, "MD");
    lattice *l = lattice_create_single(milc_extents);
    milc_links links = milc_links_create(l, where, PRECISION_DOUBLE);
    vec *b = milc_vector(l, ON_EVEN, where, PRECISION_DOUBLE, "src_lcg");
    vec *between = vec_create(l, ON_ODD, where, PRECISION_DOUBLE);
    vec *like_inner = low_vec(l, ON_EVEN, where, inner), *like_refining = low_vec(l, ON_EVEN, where, refining);
    cg_space *space = cg_space_create(l, ON_EVEN, where, PRECISION_DOUBLE);
    mixed_space *inner_space = mixed_space_create(space, like_inner);
    mixed_space *refining_space = mixed_space_create(space, like_refining);
    staggered_normal_op high = staggered_normal_operator_with(milc_terms(&links, 0), between);
    low_operator low_inner, low_refining;
    low_operator_create(&low_inner, milc_terms(&links, 0), inner);
    low_operator_create(&low_refining, milc_terms(&links, 0), refining);
    families s = families_create(f.poles, l, where, inner);
    shifted system[SHIFTS_MAX];
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < f.poles; k++)
            system[k] = (shifted){ f.pole[k], runs[i].tolerance };
        low_system first = { &low_inner.base, inner_space, NULL }, then = { &low_refining.base, refining_space, NULL };
        const multishift_method by = { .high = &high.base, .inner = &first, .refine = &then, .rule = &rule,
                                       .max_iterations = 1000 };
        multishift_mixed_result r = multishift_solve_mixed(&by, task_of(&s, system, b));
        double is = largest_residual(&high.base, &s, system, b);
        fact(r.solve.converged && is <= 1, "%s: all systems have a true residual below %g", name, runs[i].tolerance);
        fact(r.record.switches == 0 && r.krylov_failure == NO_FAILURE, "%s: by one method", name);
        if (runs[i].tolerance >= (inner == LOW_SINGLE ? 5e-4 : 1e-4))
            fact(r.refined == 0 && r.solve.polish_iterations == 0, "%s: none is refined for %g", name,
                 runs[i].tolerance);
        fact(r.record.residuals <= f.poles + 2 + r.krylov_updates + 3 * r.refined + r.record.updates,
             "%s: each residual is computed once", name);
        fact(r.solve.iterations + 1 <= 1.5 * runs[i].milc_count, "%s: %d steps together, MILC's %d; %d to refine %d",
             name, r.solve.iterations, runs[i].milc_count - 1, r.solve.polish_iterations, r.refined);
    }
    for (int k = 0; k < f.poles; k++) {
        char file[32];
        snprintf(file, sizeof file, "mshift_pf0_MD_shift%d", k + 1);
        vec *want = milc_vector(l, ON_EVEN, where, PRECISION_DOUBLE, file);
        fact_close(relative_distance(s.x[k], want), 0, 2e-10 * (LARGEST + f.pole[k]) / (SMALLEST + f.pole[k]),
                   "%s: the solution of shift %g is MILC's", name, f.pole[k]);
        vec_free(want);
    }
    families_free(&s);
    low_operator_free(&low_refining);
    low_operator_free(&low_inner);
    mixed_space_free(refining_space);
    mixed_space_free(inner_space);
    cg_space_free(space);
    vec_free(like_refining);
    vec_free(like_inner);
    vec_free(between);
    vec_free(b);
    milc_links_free(&links);
    lattice_free(l);
}

enum { SYSTEMS = 5, ALWAYS = 1000000 };

/* Shifts in no order, two equal; tolerances that differ, the loosest for the smallest shift. */
static const shifted mixed[SYSTEMS] = { { 0.5, 1e-12 }, { 0.02, 1e-4 }, { 3, 1e-10 }, { 0.5, 1e-12 }, { 0.1, 1e-11 } };

static multishift_mixed_result solve(mixed_pair *m, families *f, const linop *low, const vec *b, int max_iterations)
{
    const mixed_rule rule = mixed_rule_default();
    low_system s = { low, m->w, NULL };
    const multishift_method by = { .high = &m->s.k.base, .inner = &s, .refine = &s, .rule = &rule,
                                   .max_iterations = max_iterations };
    return multishift_solve_mixed(&by, task_of(f, mixed, b));
}

static void one_at_a_time(place where, low_kind kind)
{
    char name[64];
    snprintf(name, sizeof name, "%s, double-%s", place_name(where), low_names[kind]);
    mixed_pair m;
    mixed_pair_create(&m, (const int[]){ 4, 2, 6, 4 }, where, kind);
    families f = families_create(SYSTEMS, m.s.l, where, kind);
    multishift_mixed_result r = solve(&m, &f, &m.low.base, m.s.b, 1000);
    fact(r.solve.converged && largest_residual(&m.s.k.base, &f, mixed, m.s.b) <= 1,
         "%s: systems of different tolerances converge", name);
    for (int k = 0; k < SYSTEMS; k++) {
        vec_zero(m.s.x);
        cg_solve(&m.s.k.base, m.s.x, mixed[k].shift, m.s.b, (stop_rule){ mixed[k].tolerance, 1000 }, m.s.w);
        fact_close(relative_distance(f.x[k], m.s.x), 0, 1000 * mixed[k].tolerance, "%s: shift %g: as solved alone",
                   name, mixed[k].shift);
        double is = true_residual_of(&m.s.k.base, mixed[k].shift, f.x[k], m.s.b);
        fact_close(r.solve.residual[k] / is, 1, 0.05, "%s: with the residual that is told (%g)", name, is);
    }
    multishift_mixed_result single = { 0 };
    families one = families_create(1, m.s.l, where, kind);
    single = solve(&m, &one, &m.low.base, m.s.b, 1000);
    fact(single.solve.converged && single.solve.polish_iterations == 0 && single.krylov_updates == 0,
         "%s: one system is solved by itself", name);
    families_free(&one);
    families_free(&f);
    mixed_pair_free(&m);
}

/* In double precision with itself there is no rounding to wait for: a shift is frozen where its residual reaches the
 * tolerance, or a little below it.  With shifts so small it takes some 14 steps to halve a residual. */
static void freezing(place where)
{
    const char *name = place_name(where);
    const shifted light[SYSTEMS] = {
        { 0.01, 1e-6 }, { 0.011, 1e-3 }, { 0.012, 1e-4 }, { 0.013, 1e-5 }, { 0.02, 1e-6 },
    };
    const mixed_rule rule = mixed_rule_default();
    mixed_pair m;
    mixed_pair_create(&m, (const int[]){ 4, 4, 4, 8 }, where, LOW_DOUBLE);
    families f = families_create(SYSTEMS, m.s.l, where, LOW_DOUBLE);
    low_system low = { &m.low.base, m.w, NULL };
    const multishift_method by = { .high = &m.s.k.base, .inner = &low, .refine = &low, .rule = &rule,
                                   .max_iterations = 2000 };
    multishift_mixed_result r = multishift_solve_mixed(&by, task_of(&f, light, m.s.b));
    const shifted_family family = { .b = m.s.b, .system = light, .count = SYSTEMS, .x = f.x, .p = f.x_low };
    multishift_result pure = multishift_solve(&m.s.k.base, family, 2000, false, m.s.w);
    for (int k = 1; k < SYSTEMS; k++)
        fact(pure.frozen_at[k] > 100 && abs(r.solve.frozen_at[k] - pure.frozen_at[k]) <= 2,
             "%s: shift %g is frozen at step %d, in double precision at %d", name, light[k].shift,
             r.solve.frozen_at[k], pure.frozen_at[k]);
    families_free(&f);
    mixed_pair_free(&m);
}

/* Where shifts are far above the spectrum of A, a solve takes few steps; on a point source, all of b is one site. */
static void heavy_shifts(place where, low_kind kind)
{
    char name[64];
    snprintf(name, sizeof name, "%s, double-%s", place_name(where), low_names[kind]);
    mixed_pair m;
    mixed_pair_create(&m, (const int[]){ 4, 4, 2, 4 }, where, kind);
    const mixed_rule rule = mixed_rule_default();
    families f = families_create(SYSTEMS, m.s.l, where, kind);
    vec *point = vec_create(m.s.l, ON_EVEN, where, PRECISION_DOUBLE);
    static const double one_site[4 * 2 * 4 * 4][3][2] = { [0] = { { 1, 0 } } };
    vec_import(point, &one_site[0][0][0]);
    for (double scale = 1e4; scale < 1e13; scale *= 100)
        for (int of_point = 0; of_point < 2; of_point++) {
            const vec *b = of_point ? point : m.s.b;
            const char *source = of_point ? "a point" : "Gaussian noise";
            shifted system[SYSTEMS];
            for (int k = 0; k < SYSTEMS; k++)
                system[k] = (shifted){ scale * (1 + k), 1e-10 };
            low_system low = { &m.low.base, m.w, NULL };
            const multishift_method by = { .high = &m.s.k.base, .inner = &low, .refine = &low, .rule = &rule,
                                           .max_iterations = 100 };
            multishift_mixed_result r = multishift_solve_mixed(&by, task_of(&f, system, b));
            fact(r.solve.converged && largest_residual(&m.s.k.base, &f, system, b) <= 1,
                 "%s: shifts from %g on, source %s: all converge", name, scale, source);
            fact(r.record.switches == 0 && r.krylov_failure == NO_FAILURE, "%s: in low precision", name);
            const shifted_family family = { .b = b, .system = system, .count = SYSTEMS, .x = f.x, .p = f.x_low };
            if (kind == LOW_DOUBLE) {
                multishift_result pure = multishift_solve(&m.s.k.base, family, 100, false, m.s.w);
                fact(pure.converged, "%s: and in double precision alone", name);
            }
            vec_zero(m.s.x);
            solve_result one = cg_solve(&m.s.k.base, m.s.x, scale, b, (stop_rule){ 1e-10, 100 }, m.s.w);
            fact(one.converged && one.iterations < 10, "%s: one system in double precision: %d steps", name,
                 one.iterations);
            vec_zero(m.s.x);
            mixed_result mixed_one = mixed_pair_solve(&m, &m.low.base, (mixed_task){ .x = m.s.x, .shift = scale, .b = b,
                                                                                    .stop = { 1e-10, 100 } }, &rule);
            fact(mixed_one.solve.converged && mixed_one.record.switches == 0, "%s: one system in mixed precision",
                name);
        }
    vec_free(point);
    families_free(&f);
    mixed_pair_free(&m);
}

static void mishaps(place where)
{
    const char *name = place_name(where);
    mixed_pair m;
    mixed_pair_create(&m, (const int[]){ 4, 4, 2, 4 }, where, LOW_SINGLE);
    families f = families_create(SYSTEMS, m.s.l, where, LOW_SINGLE);
    vec *b = vec_create(m.s.l, ON_EVEN, where, PRECISION_DOUBLE);
    double sum = 0;
    for (int k = 0; k < SYSTEMS; k++)
        vec_copy(f.x[k], m.s.b);
    multishift_mixed_result r = solve(&m, &f, &m.low.base, b, 1000);
    for (int k = 0; k < SYSTEMS; k++)
        sum += vec_norm2(f.x[k]);
    fact(r.solve.converged && r.solve.iterations == 0 && sum == 0, "%s: b = 0 has x = 0 for every shift", name);

    r = solve(&m, &f, &m.low.base, m.s.b, 7);
    fact(!r.solve.converged && r.solve.iterations == 7 && r.solve.polish_iterations == 0,
         "%s: not enough steps are told", name);
    fact(r.solve.residual[0] > mixed[0].tolerance, "%s: with the residual they came to (%g)", name,
         r.solve.residual[0]);

    vec_combine(b, NAN, m.s.b, NULL, NULL, 0);
    r = solve(&m, &f, &m.low.base, b, 1000);
    fact(!r.solve.converged && r.solve.iterations == 0, "%s: a source that is not a number ends it at once", name);

    const struct { const char *what; double more, factor; int right; mixed_failure why; } operators[] = {
        { "negative", -1000, 1, 0, FAILED_CURVATURE },
        { "NaN after some iterations", 0, NAN, 15, FAILED_NUMBERS },
        { "too small, so that residuals alone tell", 0, 0.3, 0, NO_FAILURE },
    };
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        int applications;
        wrong_operator a = wrong_operator_of(&m.low.base, operators[i].more, operators[i].factor, operators[i].right,
                                             ALWAYS, &applications);
        r = solve(&m, &f, &a.base, m.s.b, 3000);
        fact(r.solve.converged && largest_residual(&m.s.k.base, &f, mixed, m.s.b) <= 1,
             "%s: an operator in low precision that is %s: all converge", name, operators[i].what);
        fact(r.krylov_failure == operators[i].why && r.record.last == BY_HIGH_PRECISION && r.refined >= SYSTEMS - 1 &&
             r.record.high_iterations > 0, "%s: one by one, in high precision in the end", name);
    }
    vec_free(b);
    families_free(&f);
    mixed_pair_free(&m);
}

static void same_bits_everywhere(low_kind kind)
{
    const int threads = omp_get_max_threads(), small[] = { 4, 6, 2, 4 };
    mixed_pair m[PLACES], one;
    families f[PLACES], g;
    int places = 0;
    FOR_EVERY_PLACE(where) {
        mixed_pair_create(&m[where], small, where, kind);
        f[where] = families_create(SYSTEMS, m[where].s.l, where, kind);
        solve(&m[where], &f[where], &m[where].low.base, m[where].s.b, 1000);
        places++;
    }
    omp_set_num_threads(3);
    mixed_pair_create(&one, small, PLACE_CPU, kind);
    g = families_create(SYSTEMS, one.s.l, PLACE_CPU, kind);
    solve(&one, &g, &one.low.base, one.s.b, 1000);
    omp_set_num_threads(threads);
    for (int k = 0; k < SYSTEMS; k++) {
        fact(same_numbers(g.x[k], f[PLACE_CPU].x[k]), "double-%s: 3 threads give the same bits of solution %d",
             low_names[kind], k);
        if (places == PLACES)
            fact(same_numbers(f[0].x[k], f[1].x[k]), "double-%s: CPU and GPU give the same bits of solution %d",
                 low_names[kind], k);
    }
    families_free(&g);
    mixed_pair_free(&one);
    for (int where = 0; where < places; where++) {
        families_free(&f[where]);
        mixed_pair_free(&m[where]);
    }
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        if (!milc_why_not()) {
            light_poles(where, LOW_SINGLE, LOW_SINGLE);
            light_poles(where, LOW_SINGLE, LOW_HALF);
            light_poles(where, LOW_INT30, LOW_INT20);
        }
        one_at_a_time(where, LOW_SINGLE);
        one_at_a_time(where, LOW_INT30);
        one_at_a_time(where, LOW_DOUBLE);
        freezing(where);
        heavy_shifts(where, LOW_DOUBLE);
        heavy_shifts(where, LOW_SINGLE);
        heavy_shifts(where, LOW_HALF);
        heavy_shifts(where, LOW_INT20);
        mishaps(where);
    }
    if (milc_why_not())
        skip("solutions are MILC's", milc_why_not());
    for (low_kind kind = LOW_SINGLE; kind < LOWS; kind++)
        same_bits_everywhere(kind);
    return facts_end();
}
