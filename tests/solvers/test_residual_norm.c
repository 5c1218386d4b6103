/* test_residual_norm.c - the uniform norm as the stopping rule of a solve: a residual at one site, which the 2-norm
 * does not notice, is found and removed, by every method, for C^+C, C and C^+ and many shifts, with the same bits on
 * every grid of processes. */
#include "src/base/memory.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "src/solvers/solver_kinds.h"
#include "tests/facts.h"
#include "tests/lattice/vec_sums.h"
#include "tests/on_every_backend.h"
#include "tests/solvers/square_facts.h"

#include <math.h>
#include <stdio.h>

enum { ALWAYS = 20000, SPINS = 4, SHIFTS = 3 };
#define RESIDUAL 1e-6
#define EXACT 1e-12

/* The residual of the impurity is this part of what the 2-norm allows. */
#define PART 0.5

static dirac_goal goal_in(residual_norm norm, solver_precision in)
{
    return (dirac_goal){ .precision = in, .residual = RESIDUAL, .norm = norm, .max_iterations = ALWAYS };
}

static dirac_solver_spec spec_of(const solver_kind *kind, solver_precision in)
{
    dirac_solver_spec spec = dirac_solver_spec_of(in, 1);
    spec.kind = kind;
    spec.also_double = true;
    return spec;
}

/* |v|_oo from the numbers of the vector, without its kernel. */
static double uniform_norm(const vec *v)
{
    const size_t sites = (size_t)lattice_volume(v->f.lattice);
    const size_t of_slice = SPINS * VEC_REALS, slices = (size_t)v->f.slabs / SPINS;
    double *numbers = vec_numbers(v), largest = 0;
    for (size_t x = 0; x < sites; x++) {
        double sum = 0;
        for (size_t s = 0; s < slices; s++)
            for (size_t i = 0; i < of_slice; i++) {
                const double number = numbers[(s * sites + x) * of_slice + i];
                sum += number * number;
            }
        largest = worse(largest, sum);
    }
    memory_free(numbers);
    return sqrt(largest);
}

/* The system whose residual is measured: C^+C, C or C^+. */
typedef enum { OF_NORMAL, OF_C, OF_DAGGER, SYSTEMS } system_of;
static const char *const system_names[SYSTEMS] = { "C^+C", "C", "C^+" };

static void apply(vec *out, square_system *s, system_of of, const vec *in)
{
    if (of != OF_NORMAL) {
        dirac_solver_apply(out, s->w, s->m, of == OF_DAGGER, in);
        return;
    }
    vec *middle = vec_create_like(in);
    dirac_solver_apply(middle, s->w, s->m, false, in);
    dirac_solver_apply(out, s->w, s->m, true, middle);
    vec_free(middle);
}

static dirac_solved solve(square_system *s, system_of of, vec *x, const vec *b, const dirac_goal *goal)
{
    const dirac_task task = { .x = x, .b = b };
    return of == OF_NORMAL ? dirac_solve(s->w, s->m, x, b, goal)
                           : dirac_solve_square(s->w, s->m, of == OF_DAGGER, task, goal);
}

/* |r|/|b| in the 2-norm and in the uniform norm */
typedef struct { double two, uniform; } both;

static both residuals_of(square_system *s, system_of of, double shift, const vec *x, const vec *b)
{
    vec *r = vec_create_like(b);
    apply(r, s, of, x);
    vec_axpy(r, shift, x);
    vec_axpy(r, -1, b);
    const both residual = { sqrt(vec_norm2(r) / vec_norm2(b)), uniform_norm(r) / uniform_norm(b) };
    vec_free(r);
    return residual;
}

/* e: zero but for one number at one odd site, the last of them */
static void set_impurity(vec *e, double size)
{
    const size_t reals = vec_count(e);
    vec_zero(e);
    vec_set_gaussian(e, rng_key_for(5, 0, 0, RNG_TEST), 0);
    double *numbers = vec_numbers(e);
    size_t at = 0;
    for (size_t i = 0; i < reals; i++) {
        at = numbers[i] != 0 ? i : at;
        numbers[i] = 0;
    }
    numbers[at] = size;
    vec_import(e, numbers);
    memory_free(numbers);
}

/* x: the solution for b - e, so that the residual of b is e */
static void start_beside(square_system *s, system_of of)
{
    dirac_goal exact = goal_in(RESIDUAL_NORM_TWO, SOLVER_DOUBLE);
    vec *e = vec_create_like(s->b);
    exact.residual = EXACT;
    set_impurity(e, -PART * RESIDUAL * sqrt(vec_norm2(s->b)));
    vec_axpy(e, 1, s->b);
    vec_zero(s->x);
    require(solve(s, of, s->x, e, &exact).converged, "an exact solve did not converge");
    vec_free(e);
}

static bool meets(both residual)
{
    return residual.two <= 1.001 * RESIDUAL && residual.uniform <= 1.001 * RESIDUAL;
}

static void impurity(square_system *s, system_of of, const char *how, solver_precision in)
{
    const dirac_goal two = goal_in(RESIDUAL_NORM_TWO, in), uniform = goal_in(RESIDUAL_NORM_UNIFORM, in);
    start_beside(s, of);
    const dirac_solved before = solve(s, of, s->x, s->b, &two);
    const both left = residuals_of(s, of, 0, s->x, s->b);
    fact(before.converged && before.iterations == 0 && left.uniform > 3 * RESIDUAL,
         "%s, %s: the 2-norm does not notice an impurity, a residual of %.3g at one site", how, system_names[of],
         left.uniform);
    const dirac_solved after = solve(s, of, s->x, s->b, &uniform);
    const both reached = residuals_of(s, of, 0, s->x, s->b);
    fact(after.converged && after.iterations > 0 && meets(reached), "and the uniform norm removes it: %.3g",
         reached.uniform);
    fact_close(after.residual / fmax(reached.two, reached.uniform), 1, 1e-4, "and reports the larger residual");
}

static void every_method(place where)
{
    static const solver_precision in[] = { SOLVER_DOUBLE, SOLVER_DOUBLE_SINGLE };
    for (int i = 0; i < SOLVER_KINDS; i++)
        for (int n = 0; n < 2; n++) {
            square_system s;
            const square_kind of = solver_kinds[i] == &multigrid_solver ? SQUARE_CLOVER : SQUARE_WILSON;
            char how[80];
            square_create(&s, &(square_request){ .where = where, .kind = of, .spec = spec_of(solver_kinds[i], in[n]) });
            snprintf(how, sizeof how, "%s: %s, %s", place_name(where), solver_kinds[i]->name, solver_names[in[n]]);
            for (system_of system = OF_NORMAL; system < SYSTEMS; system++)
                impurity(&s, system, how, in[n]);
            square_free(&s);
        }
}

/* The norm of a site is over all slices. */
static void sizes(place where)
{
    for (square_kind of = SQUARE_WILSON; of <= SQUARE_DWF; of += SQUARE_DWF) {
        square_system s;
        square_create(&s, &(square_request){ .where = where, .kind = of, .spec = spec_of(NULL, SOLVER_DOUBLE) });
        fact_close(sqrt(vec_site_norm2(s.b)) / uniform_norm(s.b), 1, 1e-14, "%s, %s: the largest norm of a site",
                  place_name(where), square_names[of]);
        impurity(&s, OF_NORMAL, square_names[of], SOLVER_DOUBLE);
        const dirac_goal uniform = goal_in(RESIDUAL_NORM_UNIFORM, SOLVER_DOUBLE);
        vec_zero(s.b);
        fact(dirac_solve(s.w, s.m, s.x, s.b, &uniform).converged && vec_norm2(s.x) == 0, "b = 0 has the solution 0");
        square_free(&s);
    }
}

static void not_reached(place where)
{
    square_system s;
    square_create(&s, &(square_request){ .where = where, .kind = SQUARE_WILSON, .spec = spec_of(NULL, SOLVER_DOUBLE) });
    dirac_goal uniform = goal_in(RESIDUAL_NORM_UNIFORM, SOLVER_DOUBLE);
    start_beside(&s, OF_NORMAL);
    uniform.residual = 1.2 * PART * RESIDUAL;               /* one iteration does not reach it */
    uniform.max_iterations = 1;
    const dirac_solved solved = dirac_solve(s.w, s.m, s.x, s.b, &uniform);
    fact(!solved.converged && solved.spent && solved.residual > uniform.residual,
         "%s: a solve without iterations left has not converged: %.3g", place_name(where), solved.residual);
    square_free(&s);
}

/* b of the same norm at every site: |r|_oo / |b|_oo is never below |r| / |b|. */
static void set_level(vec *b)
{
    double *numbers = vec_numbers(b);
    for (size_t i = 0; i < vec_count(b); i++)
        numbers[i] = numbers[i] == 0 ? 0 : numbers[i] > 0 ? 1 : -1;
    vec_import(b, numbers);
    memory_free(numbers);
}

static void shifts(place where, solver_precision in)
{
    static const shifted system[SHIFTS] = { { 0, RESIDUAL }, { 0.5, RESIDUAL }, { 2, RESIDUAL } };
    square_system s;
    dirac_solver_spec spec = spec_of(NULL, in);
    spec.shifted = true;
    spec.shifts = SHIFTS;
    square_create(&s, &(square_request){ .where = where, .kind = SQUARE_WILSON, .spec = spec });
    set_level(s.b);
    vec *x[SHIFTS];
    for (int k = 0; k < SHIFTS; k++)
        x[k] = vec_create_like(s.b);
    for (residual_norm norm = RESIDUAL_NORM_TWO; norm <= RESIDUAL_NORM_UNIFORM; norm++) {
        dirac_shifts_task task = { .x = x, .system = system, .count = SHIFTS, .b = s.b };
        const dirac_goal goal = goal_in(norm, in);
        dirac_solve_shifts(s.w, s.m, &task, 1, &goal);
        bool all = task.result.converged, reported = true;
        for (int k = 0; k < SHIFTS; k++) {
            const both residual = residuals_of(&s, OF_NORMAL, system[k].shift, x[k], s.b);
            all = all && meets(residual);
            reported = reported && fabs(task.result.residual[k] / residual.uniform - 1) < 1e-4;
        }
        if (norm == RESIDUAL_NORM_TWO)
            fact(task.result.converged && !all, "%s, %s: many shifts stop before the uniform norm", place_name(where),
                 solver_names[in]);
        else
            fact(all && reported && task.result.polish_iterations > 0, "and reach it with %d more iterations",
                 task.result.polish_iterations);
    }
    for (int k = 0; k < SHIFTS; k++)
        vec_free(x[k]);
    square_free(&s);
}

static void separate_solves(place where)
{
    const dirac_goal goal = goal_in(RESIDUAL_NORM_UNIFORM, SOLVER_DOUBLE_SINGLE);
    const dirac_solver_spec spec = dirac_solver_spec_of(SOLVER_DOUBLE_SINGLE, SEPARATE_SYSTEMS);
    const square_request r = { .where = where, .kind = SQUARE_WILSON, .spec = spec };
    separate_solves_facts(&r, &goal, set_level);
}

static int uniform_solve(square_system *s)
{
    const dirac_goal goal = goal_in(RESIDUAL_NORM_UNIFORM, SOLVER_DOUBLE);
    return dirac_solve(s->w, s->m, s->x, s->b, &goal).iterations;
}

static void same_on_ranks(place where)
{
    const square_request r = { .where = where, .kind = SQUARE_WILSON, .spec = spec_of(NULL, SOLVER_DOUBLE) };
    square_ranks_facts(&r, uniform_solve);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        sizes(where);
        every_method(where);
        not_reached(where);
        shifts(where, SOLVER_DOUBLE);
        shifts(where, SOLVER_DOUBLE_SINGLE);
        separate_solves(where);
        if (where == PLACE_CPU)
            same_on_ranks(where);
    }
    return facts_end();
}
