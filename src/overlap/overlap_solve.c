/* overlap_solve.c - solutions of D(m) x = b by conjugate gradients. */
#include "src/overlap/overlap_solve.h"

#include "src/base/memory.h"
#include "src/base/progress_tick.h"

#include <math.h>

/* ROUNDS: largest number of rounds, each with a right-hand side b - D x.  MARGIN: the iterated residual at which a
 * solve stops over the requested true one.  STALLED: a round is the last one if its residual is above this fraction of
 * the residual before. */
enum { ROUNDS = 12, CHIRALITIES = 2 };
#define MARGIN 0.5
#define STALLED 0.5

/* Single precision is used only if a round can reduce the residual to this fraction or less, because each round starts
 * a new Krylov space. */
#define MOST_SINGLE 0.01

struct overlap_solver {
    vec *y, *r, *p, *q;                  /* halves */
    vec *rest, *image, *step;            /* pairs: b - D x, D x, a change of x */
};

overlap_solver *overlap_solver_create(const gauge *u)
{
    overlap_solver *s = memory_alloc(sizeof *s, "a solver of overlap quarks");
    vec **half[] = { &s->y, &s->r, &s->p, &s->q }, **pair[] = { &s->rest, &s->image, &s->step };
    for (size_t i = 0; i < sizeof half / sizeof *half; i++)
        *half[i] = spinor_half_create(u);
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
        *pair[i] = spinor_pair_create(u);
    return s;
}

void overlap_solver_free(overlap_solver *s)
{
    if (!s)
        return;
    vec *all[] = { s->y, s->r, s->p, s->q, s->rest, s->image, s->step };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        vec_free(all[i]);
    memory_free(s);
}

memory_need overlap_solver_bytes(const lattice_shape *shape)
{
    return (memory_need){ .lasting = 4 * spinor_half_bytes(shape) + 3 * spinor_pair_bytes(shape) };
}

/* eta_j of overlap_solve.h; target: T. */
static double accuracy_of(const overlap_system *system, double target, double sum_of_inverses)
{
    return system->relaxed ? fmin(OVERLAP_SHARE * target * sqrt(sum_of_inverses), OVERLAP_ROUGHEST) : 0;
}

/* y <- (D^+D)^-1 r on one chirality, until the iterated |r| <= target; r is overwritten.  Returns whether it
 * converged. */
static bool iterate(overlap *o, overlap_solver *s, const overlap_system *system, int chirality, double target,
                    int *iterations)
{
    double rr = vec_norm2(s->r), inverses = 1 / rr;
    vec_zero(s->y);
    vec_copy(s->p, s->r);
    while (rr > target * target && isfinite(rr) && *iterations < system->stop.max_iterations) {
        overlap_normal(s->q, o, system->mass, chirality, accuracy_of(system, target, inverses), s->p);
        const double alpha = rr / vec_dot(s->p, s->q).re, before = rr;
        vec_axpy(s->y, alpha, s->p);
        vec_axpy(s->r, -alpha, s->q);
        rr = vec_norm2(s->r);
        inverses += 1 / rr;
        vec_xpay(s->p, s->r, rr / before);
        ++*iterations;
        progress_tick();
    }
    return rr <= target * target;
}

/* x <- x + D^+ y with y ~= (D^+D)^-1 rest, |rest - D^+D y| <= target.  Returns whether both chiralities converged. */
static bool improve(vec *x, overlap *o, overlap_solver *s, const overlap_system *system, double target,
                    overlap_solution *solution)
{
    bool ok = true;
    vec_zero(s->image);
    for (int c = 0; ok && c < CHIRALITIES; c++) {
        spinor_half_get(s->r, s->rest, c);
        if (vec_norm2(s->r) <= target * target)
            continue;
        ok = iterate(o, s, system, c, target / sqrt(CHIRALITIES), &solution->iterations);
        solution->solves++;
        spinor_half_put(s->image, s->y, c);
    }
    overlap_apply(s->step, o, system->mass, true, s->image);
    vec_axpy(x, 1, s->step);
    return ok;
}

/* The relative residual at which the next round stops: the goal with its margin, or in mixed precision `residual` times
 * a power of 1/2, so that the remaining rounds have about equal factors.  A power of 1/2 is exact; logarithms may be
 * rounded differently by different processors. */
static double target_of(const overlap *o, const overlap_system *system, double residual)
{
    const double last = MARGIN * system->stop.tolerance, whole = last / residual;
    const double least = overlap_single_least(o) * sqrt(CHIRALITIES) / OVERLAP_SHARE;
    if (!system->relaxed || least > MOST_SINGLE || whole >= least)
        return last;
    const int all = -ilogb(whole), most = -ilogb(2 * least), rounds = (all + most - 1) / most;
    return ldexp(residual, -((all + rounds - 1) / rounds));
}

overlap_solution overlap_solve(vec *x, overlap *o, overlap_solver *s, const overlap_system *system, const vec *b)
{
    overlap_solution solution = { .residual = 0 };
    const double size = sqrt(vec_norm2(b)), goal = system->stop.tolerance;
    vec_zero(x);
    if (size == 0)
        return (overlap_solution){ .converged = true };
    vec_copy(s->rest, b);
    solution.residual = 1;
    bool going = true;
    for (int round = 0; going && round < ROUNDS && !(solution.residual <= goal); round++) {
        const double before = solution.residual;
        going = improve(x, o, s, system, target_of(o, system, before) * size, &solution);
        overlap_apply(s->image, o, system->mass, false, x);
        vec_copy(s->rest, b);
        vec_axpy(s->rest, -1, s->image);
        solution.residual = sqrt(vec_norm2(s->rest)) / size;
        going = going && solution.residual <= STALLED * before;
    }
    solution.converged = solution.residual <= goal;
    return solution;
}
