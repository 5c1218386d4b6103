/* test_multishift.c - many shifts at once: MILC's solutions, counts and rational functions; one at a time; mishaps. */
#include "src/solvers/dirac_solver.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/operators/milc_quarks.h"
#include "tests/solvers/small_system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Eigenvalues of K on MILC's configuration lie between these, for both epsilons (its spectrum.json). */
#define SMALLEST 0.0019941
#define LARGEST 20.961001290157434

/* Solutions and directions like b. */
typedef struct { int count; vec *x[SHIFTS_MAX], *p[SHIFTS_MAX]; } families;

static families families_create(int count, const vec *b)
{
    families f = { .count = count };
    for (int k = 0; k < count; k++) {
        f.x[k] = vec_create(b->f.lattice, b->f.on, b->f.where, b->f.precision);
        f.p[k] = vec_create(b->f.lattice, b->f.on, b->f.where, b->f.precision);
    }
    return f;
}

static void families_free(families *f)
{
    for (int k = 0; k < f->count; k++) {
        vec_free(f->x[k]);
        vec_free(f->p[k]);
    }
}

static shifted_family family_of(const families *f, const shifted *system, const vec *b)
{
    return (shifted_family){ .b = b, .system = system, .count = f->count, .x = f->x, .p = f->p };
}

static void poles_of(shifted *system, const milc_function *f, double tolerance)
{
    for (int k = 0; k < f->poles; k++)
        system[k] = (shifted){ f->pole[k], tolerance };
}

static void light_poles(place where)
{
    const struct { double tolerance; int milc_count; } runs[] = {            /* steps + 1 */
        { 5e-4, 236 }, { 1e-4, 262 }, { 1e-6, 293 }, { 1e-8, 322 }, { 1e-10, 344 },
    };
    const char *name = place_name(where);
    milc_function f = milc_rational(0, "MD");
    lattice *l = lattice_create_single(milc_extents);
    milc_links m = milc_links_create(l, where, PRECISION_DOUBLE);
    vec *b = milc_vector(l, ON_EVEN, where, PRECISION_DOUBLE, "src_lcg");
    vec *between = vec_create(l, ON_ODD, where, PRECISION_DOUBLE);
    cg_space *w = cg_space_create(l, ON_EVEN, where, PRECISION_DOUBLE);
    staggered_normal_op k = staggered_normal_operator_with(milc_terms(&m, 0), between);
    families s = families_create(f.poles, b);
    shifted system[SHIFTS_MAX];
    for (int i = 0; i < 5; i++) {
        poles_of(system, &f, runs[i].tolerance);
        multishift_result r = multishift_solve(&k.base, family_of(&s, system, b), 1000, true, w);
        double worst = 0;
        for (int n = 0; n < f.poles; n++)
            worst = worse(worst, r.residual[n]);
        fact(r.converged && worst <= runs[i].tolerance, "%s: all systems have a true residual below %g", name,
             runs[i].tolerance);
        fact_close(r.iterations + 1, runs[i].milc_count, 2, "%s: in as many steps as MILC's", name);
    }
    poles_of(system, &f, 1e-12);
    multishift_result r = multishift_solve(&k.base, family_of(&s, system, b), 1000, false, w);
    bool ordered = true;
    for (int n = 0; n < f.poles; n++) {
        char file[32];
        snprintf(file, sizeof file, "mshift_pf0_MD_shift%d", n + 1);
        vec *want = milc_vector(l, ON_EVEN, where, PRECISION_DOUBLE, file);
        fact_close(relative_distance(s.x[n], want), 0, 1e-10 * (LARGEST + f.pole[n]) / (SMALLEST + f.pole[n]),
                   "%s: the solution of shift %g is MILC's", name, f.pole[n]);
        vec_free(want);
        ordered &= n == 0 || r.frozen_at[n] <= r.frozen_at[n - 1];
    }
    fact(ordered && r.frozen_at[0] == r.iterations, "%s: larger shifts are frozen earlier, the smallest last", name);
    families_free(&s);
    cg_space_free(w);
    vec_free(between);
    vec_free(b);
    milc_links_free(&m);
    lattice_free(l);
}

/* f(K) b of three pseudofermions, with their own epsilon */
static void rational_functions(place where, precision p)
{
    const int fields[] = { 0, 1, 4 }, set[] = { 0, 0, 1 };
    const char *const which[] = { "MD", "FA", "GR" };
    const bool precise = p == PRECISION_DOUBLE;
    lattice *l = lattice_create_single(milc_extents);
    milc_links m = milc_links_create(l, where, p);
    vec *b = milc_vector(l, ON_EVEN, where, p, "src_lcg"), *y = vec_create(l, ON_EVEN, where, p);
    vec *between = vec_create(l, ON_ODD, where, p);
    cg_space *w = cg_space_create(l, ON_EVEN, where, p);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            char file[32];
            milc_function f = milc_rational(fields[i], which[j]);
            staggered_normal_op k = staggered_normal_operator_with(milc_terms(&m, set[i]), between);
            families s = families_create(f.poles, b);
            shifted system[SHIFTS_MAX];
            poles_of(system, &f, precise ? 1e-12 : 1e-5);
            multishift_result r = multishift_solve(&k.base, family_of(&s, system, b), 1000, false, w);
            vec_combine(y, f.constant, b, f.residue, s.x, f.poles);
            snprintf(file, sizeof file, "ratfun_pf%d_%s_lcg", fields[i], which[j]);
            vec *want = milc_vector(l, ON_EVEN, where, p, file);
            fact(r.converged, "%s: the systems of %s converge", place_name(where), file);
            /* the largest error of f(K) b: residuals times sum |residue| / (smallest eigenvalue + pole) */
            double amplified = 0, size = sqrt(vec_norm2(want) / vec_norm2(b));
            for (int n = 0; n < f.poles; n++)
                amplified += fabs(f.residue[n]) / (SMALLEST + f.pole[n]);
            fact_close(relative_distance(y, want) * size / amplified, 0, precise ? 1e-10 : 1e-4,
                       "%s, %s: f(K) b is MILC's, %s", place_name(where), precise ? "double" : "single", file);
            vec_free(want);
            families_free(&s);
        }
    cg_space_free(w);
    vec_free(between);
    vec_free(y);
    vec_free(b);
    milc_links_free(&m);
    lattice_free(l);
}

enum { SYSTEMS = 5 };

/* Shifts in no order, two equal; tolerances that differ, the loosest for the smallest shift. */
static const shifted mixed[SYSTEMS] = { { 0.5, 1e-12 }, { 0.02, 1e-4 }, { 3, 1e-10 }, { 0.5, 1e-12 }, { 0.1, 1e-11 } };

static void one_at_a_time(place where, precision p)
{
    const bool precise = p == PRECISION_DOUBLE;
    const char *name = place_name(where), *digits = precise ? "double" : "single";
    small_system s;
    small_create(&s, (const int[]){ 4, 2, 6, 4 }, where, p);
    families f = families_create(SYSTEMS, s.b);
    shifted system[SYSTEMS];
    for (int k = 0; k < SYSTEMS; k++)
        system[k] = (shifted){ mixed[k].shift, precise ? mixed[k].tolerance : sqrt(mixed[k].tolerance) };
    multishift_result r = multishift_solve(&s.k.base, family_of(&f, system, s.b), 1000, true, s.w);
    fact(r.converged, "%s, %s: systems of different tolerances converge", name, digits);
    for (int k = 0; k < SYSTEMS; k++) {
        vec_zero(s.x);
        solve_result one = cg_solve(&s.k.base, s.x, system[k].shift, s.b, (stop_rule){ system[k].tolerance, 1000 },
                                    s.w);
        fact_close(relative_distance(f.x[k], s.x), 0, 300 * system[k].tolerance,
                   "%s, %s: shift %g: as solved alone", name, digits, system[k].shift);
        fact_close(r.frozen_at[k], one.iterations, precise ? 2 : 4, "%s, %s: frozen after as many steps", name, digits);
        fact(r.residual[k] <= system[k].tolerance, "%s, %s: with a residual below its tolerance", name, digits);
    }
    fact(same_numbers(f.x[0], f.x[3]), "%s, %s: equal systems have equal solutions", name, digits);
    families_free(&f);
    small_free(&s);
}

static void mishaps(place where)
{
    const char *name = place_name(where);
    small_system s;
    small_create(&s, (const int[]){ 4, 4, 2, 4 }, where, PRECISION_DOUBLE);
    families f = families_create(SYSTEMS, s.b);
    vec *b = vec_create(s.l, ON_EVEN, where, PRECISION_DOUBLE);
    double sum = 0;
    for (int k = 0; k < SYSTEMS; k++)
        vec_copy(f.x[k], s.b);
    multishift_result r = multishift_solve(&s.k.base, family_of(&f, mixed, b), 1000, true, s.w);
    for (int k = 0; k < SYSTEMS; k++)
        sum += vec_norm2(f.x[k]);
    fact(r.converged && r.iterations == 0 && sum == 0, "%s: b = 0 has x = 0 for every shift", name);

    r = multishift_solve(&s.k.base, family_of(&f, mixed, s.b), 7, true, s.w);
    fact(!r.converged && r.iterations == 7 && r.polish_iterations == 0, "%s: not enough steps are told", name);
    fact(r.residual[0] > mixed[0].tolerance, "%s: with the residual they came to (%g)", name, r.residual[0]);

    vec_combine(b, NAN, s.b, NULL, NULL, 0);
    r = multishift_solve(&s.k.base, family_of(&f, mixed, b), 1000, true, s.w);
    fact(!r.converged && r.iterations == 0, "%s: a source that is not a number ends it at once", name);

    shifted negative[SYSTEMS];
    for (int k = 0; k < SYSTEMS; k++)
        negative[k] = (shifted){ mixed[k].shift - 1000, mixed[k].tolerance };
    r = multishift_solve(&s.k.base, family_of(&f, negative, s.b), 1000, true, s.w);
    fact(!r.converged && r.iterations == 0, "%s: and so does a negative operator", name);
    vec_free(b);
    families_free(&f);
    small_free(&s);
}

/* Residuals as iterated in single precision drift from the true ones by rounding: here they must be polished. */
static void polishing(place where)
{
    const shifted system[] = { { 1e-4, 3e-6 }, { 0.5, 1e-6 } };
    small_system s;
    small_create(&s, (const int[]){ 4, 4, 4, 4 }, where, PRECISION_SINGLE);
    families f = families_create(2, s.b);
    vec *residual = vec_create(s.l, ON_EVEN, where, PRECISION_SINGLE);
    multishift_result r = multishift_solve(&s.k.base, family_of(&f, system, s.b), 5000, false, s.w);
    double iterated = r.residual[0];
    s.k.base.apply(&s.k.base, residual, system[0].shift, f.x[0]);
    vec_xpay(residual, s.b, -1);
    double is = sqrt(vec_norm2(residual) / vec_norm2(s.b));
    fact(r.converged && iterated <= system[0].tolerance, "%s: the iterated residual meets the tolerance (%g)",
         place_name(where), iterated);
    r = multishift_solve(&s.k.base, family_of(&f, system, s.b), 5000, true, s.w);
    fact((r.polish_iterations > 0) == (is > system[0].tolerance),
         "%s: polished where the true one (%g) does not: %d steps", place_name(where), is, r.polish_iterations);
    s.k.base.apply(&s.k.base, residual, system[0].shift, f.x[0]);
    vec_xpay(residual, s.b, -1);
    is = sqrt(vec_norm2(residual) / vec_norm2(s.b));
    fact_close(r.residual[0] / is, 1, 1e-12, "%s: what is told when verified is the true one (%g)", place_name(where),
               is);
    fact(r.converged == (is <= system[0].tolerance), "%s: and decides", place_name(where));
    vec_free(residual);
    families_free(&f);
    small_free(&s);
}

static void same_bits_everywhere(precision p)
{
    small_system s[PLACES];
    families f[PLACES];
    int places = 0;
    FOR_EVERY_PLACE(where) {
        small_create(&s[where], (const int[]){ 4, 6, 2, 4 }, where, p);
        f[where] = families_create(SYSTEMS, s[where].b);
        multishift_solve(&s[where].k.base, family_of(&f[where], mixed, s[where].b), 40, false, s[where].w);
        places++;
    }
    for (int k = 0; places == PLACES && k < SYSTEMS; k++)
        fact(same_numbers(f[0].x[k], f[1].x[k]), "%s precision: CPU and GPU give the same bits of solution %d",
             p == PRECISION_DOUBLE ? "double" : "single", k);
    for (int where = 0; where < places; where++) {
        families_free(&f[where]);
        small_free(&s[where]);
    }
}

/* What the record has of a solve with many shifts: the largest of its residuals, wherever it is; a NaN stays. */
static void residual_of_all(void)
{
    static const double residuals[][3] = { { 1e-3, 1e-8, 1e-5 }, { 1e-8, 1e-3, 1e-5 }, { 1e-8, 1e-5, 1e-3 } };
    for (int i = 0; i < 3; i++) {
        dirac_shifts_task task = { .count = 3, .result = { .converged = true, .iterations = 7 } };
        memcpy(task.result.residual, residuals[i], sizeof residuals[i]);
        const dirac_solved s = dirac_shifts_solved(&task);
        fact(s.residual == 1e-3 && s.converged && s.iterations == 7, "of the residuals %g, %g, %g, the largest is "
             "reported (%g)", residuals[i][0], residuals[i][1], residuals[i][2], s.residual);
        task.result.residual[i] = NAN;
        fact(isnan(dirac_shifts_solved(&task).residual), "a residual %d that is not a number stays", i);
    }
}

int main(void)
{
    residual_of_all();
    FOR_EVERY_PLACE(where) {
        if (!milc_why_not()) {
            light_poles(where);
            rational_functions(where, PRECISION_SINGLE);
            rational_functions(where, PRECISION_DOUBLE);
        }
        one_at_a_time(where, PRECISION_SINGLE);
        one_at_a_time(where, PRECISION_DOUBLE);
        mishaps(where);
        polishing(where);
    }
    if (milc_why_not())
        skip("solutions are MILC's", milc_why_not());
    same_bits_everywhere(PRECISION_SINGLE);
    same_bits_everywhere(PRECISION_DOUBLE);
    return facts_end();
}
