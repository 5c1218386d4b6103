/* test_bicg.c - BiCGstab(l) with the matrices of Wilson, clover and domain-wall quarks: the solutions of conjugate
 * gradients, true residuals in every precision, and the same bits in batches and on any grid. */
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/lattice/vec_mixed.h"
#include "tests/facts.h"
#include "tests/lattice/vec_sums.h"
#include "tests/on_every_backend.h"
#include "tests/solvers/square_system.h"

#include <stdlib.h>

enum { ALWAYS = 20000, MOST_RANKS = 4 };

static const int orders[] = { 1, 2, 4 };
enum { ORDERS = sizeof orders / sizeof *orders };

static dirac_goal goal_of(solver_precision kind, double residual)
{
    return (dirac_goal){ .precision = kind, .residual = residual, .max_iterations = ALWAYS };
}

static dirac_solved solve(square_system *s, bool dagger, const dirac_goal *goal)
{
    vec_zero(s->x);
    return dirac_solve_square(s->w, s->m, dagger, (dirac_task){ .x = s->x, .b = s->b }, goal);
}

/* C x = b and C^+ x = b in double, by conjugate gradients of C^+C and by BiCGstab. */
static void solutions_are_those_of_cg(place where, square_kind kind)
{
    static const char *const which[] = { "C", "C^+" };
    vec *x[2];
    square_system s;
    int iterations[2];
    const dirac_goal goal = goal_of(SOLVER_DOUBLE, 1e-14);
    square_create(&s, &(square_request){ .where = where, .kind = kind, .spec = square_spec(SOLVER_DOUBLE, 0, 1) });
    for (int dagger = 0; dagger < 2; dagger++) {
        const dirac_solved cg = solve(&s, dagger, &goal);
        x[dagger] = vec_create_like(s.x);
        vec_copy(x[dagger], s.x);
        fact(cg.converged, "%s, %s, %s: conjugate gradients converge", place_name(where), square_names[kind],
             which[dagger]);
        iterations[dagger] = cg.iterations;
    }
    const lattice *of = s.l;
    for (int i = 0; i < ORDERS; i++) {
        square_system t;
        square_create(&t, &(square_request){ .where = where, .kind = kind,
                                             .spec = square_spec(SOLVER_DOUBLE, orders[i], 1) });
        for (int dagger = 0; dagger < 2; dagger++) {
            const dirac_solved solved = solve(&t, dagger, &goal);
            vec *mine = dirac_vec_create(s.d, ON_ODD, dirac_full_storage(s.d));
            double *numbers = memory_alloc((size_t)lattice_volume(of) * VEC_REALS * (size_t)mine->f.slabs
                                           * sizeof *numbers, "a solution");
            vec_export(numbers, t.x);
            vec_import(mine, numbers);
            fact(solved.converged && !solved.fallback && 2 * solved.iterations < iterations[dagger],
                 "%s, %s, %s: BiCGstab(%d) converges in %d iterations, conjugate gradients in %d", place_name(where),
                 square_names[kind], which[dagger], orders[i], solved.iterations, iterations[dagger]);
            fact_close(square_distance(mine, x[dagger]), 0, 1e-12, "and has the solution of conjugate gradients");
            fact(square_residual(&t, dagger, t.x, t.b) <= 1.01e-14, "and the residual that it tells");
            memory_free(numbers);
            vec_free(mine);
        }
        square_free(&t);
    }
    for (int dagger = 0; dagger < 2; dagger++)
        vec_free(x[dagger]);
    square_free(&s);
}

static void residuals_in_every_precision(place where, square_kind kind)
{
    for (int i = 0; i < ORDERS; i++) {
        int iterations[SOLVER_ADAPTIVE] = { 0 };
        for (solver_precision of = SOLVER_DOUBLE; of < SOLVER_ADAPTIVE; of++) {
            square_system s;
            const dirac_goal goal = goal_of(of, 1e-10);
            square_create(&s, &(square_request){ .where = where, .kind = kind, .spec = square_spec(of, orders[i], 1) });
            const dirac_solved solved = solve(&s, false, &goal);
            const double residual = square_residual(&s, false, s.x, s.b);
            iterations[of] = solved.iterations;
            fact(solved.converged && !solved.fallback && solved.record.escalations == 0 && residual <= 1.01e-10,
                 "%s, %s, BiCGstab(%d), %s: the residual of the solution is small enough", place_name(where),
                 square_names[kind], orders[i], solver_names[of]);
            fact(4 * solved.iterations <= 5 * iterations[SOLVER_DOUBLE] + 4 * orders[i],
                 "and there are at most a quarter more iterations than in double: %d, %d", solved.iterations,
                 iterations[SOLVER_DOUBLE]);
            square_free(&s);
        }
    }
}

/* C^+C x = b from a start vector, by conjugate gradients, and as C^+ y = b, C x = y. */
static void two_solves(place where, square_kind kind)
{
    square_system s;
    const dirac_goal goal = goal_of(SOLVER_DOUBLE, 1e-12);
    square_create(&s, &(square_request){ .where = where, .kind = kind, .spec = square_spec(SOLVER_DOUBLE, 2, 1) });
    vec *x = vec_create_like(s.x);
    vec_zero(x);
    const dirac_solved cg = dirac_solve_by_cg(s.w, s.m, x, s.b, &goal), one = solve(&s, false, &goal);
    square_source(s.x, 1);
    const dirac_solved twice = dirac_solve_twice(s.w, s.m, s.x, s.b, &goal);
    fact(cg.converged && twice.converged && !twice.fallback && twice.residual <= goal.residual
             && 2 * twice.iterations <= 5 * one.iterations,
         "%s, %s: two solves of %d iterations together solve a system of C^+C, one with C takes %d", place_name(where),
         square_names[kind], twice.iterations, one.iterations);
    fact_close(square_distance(s.x, x), 0, 1e-10, "and the solution is that of conjugate gradients");
    vec_free(x);
    square_free(&s);
}

/* ---- the same bits */

enum { SYSTEMS = 5, SLOTS = 3 };

static void batches_have_the_bits_of_one(place where, square_kind kind, int order)
{
    square_system s;
    dirac_task task[SYSTEMS];
    const dirac_goal goal = goal_of(SOLVER_DOUBLE_SINGLE_HALF, 1e-10);
    square_create(&s, &(square_request){ .where = where, .kind = kind,
                                         .spec = square_spec(SOLVER_DOUBLE_SINGLE_HALF, order, SLOTS) });
    vec *b[SYSTEMS];
    for (int n = 0; n < SYSTEMS; n++) {
        b[n] = vec_create_like(s.b);
        task[n] = (dirac_task){ .x = vec_create_like(s.b), .b = b[n] };
        square_source(b[n], n);
        vec_combine(b[n], n == 3 ? 0 : 1 + 1e6 * n, b[n], NULL, NULL, 0);
        vec_zero(task[n].x);
    }
    vec_copy(task[1].x, b[0]);                               /* a start vector */
    dirac_solve_square_all(s.w, s.m, false, task, SYSTEMS, &goal);
    for (int n = 0; n < SYSTEMS; n++) {
        if (n == 1)
            vec_copy(s.x, b[0]);
        else
            vec_zero(s.x);
        const dirac_solved one = dirac_solve_square(s.w, s.m, false, (dirac_task){ .x = s.x, .b = b[n] }, &goal);
        vec_axpy(s.x, -1, task[n].x);
        fact(one.converged && task[n].solved.iterations == one.iterations && vec_norm2(s.x) == 0,
             "%s, %s, BiCGstab(%d): system %d of a batch has the bits of a separate solve", place_name(where),
             square_names[kind], order, n);
    }
    for (int n = 0; n < SYSTEMS; n++) {
        vec_free(b[n]);
        vec_free(task[n].x);
    }
    square_free(&s);
}

typedef struct { square_request request; uint64_t of[MOST_RANKS]; } rank_task;

static int digest_solutions(void *of)
{
    rank_task *t = of;
    square_system s;
    square_create(&s, &t->request);
    const dirac_goal goal = goal_of(t->request.spec.precision[0], 1e-10);
    uint64_t digest = DIGEST64_START;
    for (int dagger = 0; dagger < 2; dagger++) {
        const dirac_solved solved = solve(&s, dagger, &goal);
        digest = vec_digest(digest, s.x);
        digest = digest64(digest, &solved.iterations, sizeof solved.iterations);
    }
    t->of[comm_rank(comm_world())] = digest;
    square_free(&s);
    return 0;
}

static void same_on_grids(place where, square_kind kind, int order)
{
    static const int grids[][4] = { { 1, 1, 1, 2 }, { 1, 1, 2, 2 } };
    rank_task single = { .request = { .where = where, .kind = kind,
                                      .spec = square_spec(SOLVER_DOUBLE_HALF, order, 1) } };
    digest_solutions(&single);
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        rank_task t = single;
        const int ranks = grids[g][2] * grids[g][3];
        int different = 0;
        t.request.grid = grids[g];
        comm_run_threads(ranks, digest_solutions, &t);
        for (int r = 0; r < ranks; r++)
            different += t.of[r] != single.of[0];
        fact(different == 0, "%s, %s, BiCGstab(%d): the same bits on %d ranks", place_name(where), square_names[kind],
             order, ranks);
    }
}

int main(void)
{
    FOR_EVERY_PLACE(where)
        for (square_kind kind = 0; kind < SQUARES; kind++) {
            solutions_are_those_of_cg(where, kind);
            residuals_in_every_precision(where, kind);
            two_solves(where, kind);
            batches_have_the_bits_of_one(where, kind, 1);    /* short cycles (kernels/bicg_short_args.h) */
            batches_have_the_bits_of_one(where, kind, 2);
            for (int i = 0; i < ORDERS && where == PLACE_CPU; i++)
                same_on_grids(where, kind, orders[i]);
        }
    return facts_end();
}
