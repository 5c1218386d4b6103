/* test_bicg_updates.c - BiCGstab in mixed precision reaches residuals that low precision alone does not reach, by every
 * rule of updates; where it breaks down, the next precision or conjugate gradients continue, and the record has the
 * reason.  For half, terms of x are summed in single precision. */
#include "src/lattice/place_memory.h"
#include "src/solvers/bicg_mixed.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"
#include "tests/solvers/square_system.h"

#include <math.h>
#include <stdlib.h>

enum { ORDER = 2, ALWAYS = 10000 };
#define RESIDUAL 1e-10
#define CLOSER 1.2                       /* systems that take some 60 iterations */

/* A matrix that is `factor` times the unit matrix where it is applied by the device; true residuals are right. */
static double wrong_factor;
static vector_format wrong_format;

static void add_wrong(const linop *a, loop *l, const krylov_batch *b, vec *const *q, vec *const *p)
{
    const fifth_table k = fifth_one(1, wrong_factor);
    (void)a;
    for (int n = 0; n < b->count; n++)
        dwf_add_fifth(l, q[n], &k, p[n]);
}

static linop *square_wrong(dirac_operator *d, vec_storage in, const dirac_matrix *m, bool dagger,
                           vec *const (*work)[DIRAC_WORK_VECTORS], int systems)
{
    linop *a = clover_plain_kind.square(d, in, m, dagger, work, systems);
    if (in.format == wrong_format)
        a->add_batch = add_wrong;
    return a;
}

typedef struct { solver_precision precision; mixed_rule rule; int most; bool wrong; } request;

static dirac_solved solve(place where, const request *r, double *residual)
{
    square_system s;
    dirac_kind wrong = clover_plain_kind;
    const dirac_goal goal = { .precision = r->precision, .residual = RESIDUAL, .max_iterations = r->most,
                              .rule = &r->rule };
    square_create(&s, &(square_request){ .where = where, .kind = SQUARE_WILSON, .closer = CLOSER,
                                         .spec = square_spec(r->precision, ORDER, 1) });
    wrong.square = square_wrong;
    if (r->wrong)
        s.d->kind = &wrong;
    const dirac_solved solved = dirac_solve_square(s.w, s.m, false, (dirac_task){ .x = s.x, .b = s.b }, &goal);
    *residual = square_residual(&s, false, s.x, s.b);
    square_free(&s);
    return solved;
}

static request request_of(solver_precision kind)
{
    return (request){ .precision = kind, .rule = mixed_rule_default(), .most = ALWAYS };
}

/* Without updates the iterated residual falls to the tolerance and the true one does not. */
static void half_alone_stalls(place where)
{
    enum { CAPACITY = 4 * ALWAYS };
    static residual_seen seen[CAPACITY];
    residual_history history = { .capacity = CAPACITY, .seen = seen };
    double residual, iterated = 1, stalled = 0;
    request r = request_of(SOLVER_DOUBLE);
    const dirac_solved high = solve(where, &r, &residual);
    r.precision = SOLVER_DOUBLE_HALF;
    const dirac_solved half = solve(where, &r, &residual);
    fact(half.converged && residual <= 1.01 * RESIDUAL && 4 * half.iterations <= 5 * high.iterations,
         "%s: double-half reaches 1e-10 in %d iterations, double in %d", place_name(where), half.iterations,
         high.iterations);
    r.rule.refinements = MIXED_NAIVE;
    r.rule.delta = 0;
    r.rule.history = &history;
    solve(where, &r, &residual);
    for (int i = 0; i < history.count && stalled == 0; i++) {
        if (history.seen[i].is_true)
            stalled = history.seen[i].residual;
        else
            iterated = history.seen[i].residual;
    }
    fact(iterated <= RESIDUAL && stalled > 1e5 * RESIDUAL,
         "%s: half alone stalls: the iterated residual is %.1e, the true one is %.1e", place_name(where), iterated,
         stalled);
    r.rule.history = NULL;
    r.most = half.iterations;
    const dirac_solved naive = solve(where, &r, &residual);
    fact(!naive.converged && residual > 1e3 * RESIDUAL, "and has %.1e after as many iterations", residual);
}

static void rules_of_updates(place where)
{
    double residual;
    request r = request_of(SOLVER_DOUBLE_HALF);
    const dirac_solved by_delta = solve(where, &r, &residual);
    r.rule.estimate = true;
    const dirac_solved estimated = solve(where, &r, &residual);
    fact(estimated.converged && residual <= 1.01 * RESIDUAL && 4 * estimated.iterations <= 5 * by_delta.iterations,
         "%s: updates by the estimate of rounding errors: %d iterations, %d updates; by delta %d, %d",
         place_name(where), estimated.iterations, estimated.record.updates, by_delta.iterations,
         by_delta.record.updates);
    r.precision = SOLVER_DOUBLE_SINGLE;
    const dirac_solved single = solve(where, &r, &residual);
    fact(single.converged && single.record.updates < estimated.record.updates,
         "%s: the estimate asks for fewer updates in single precision: %d", place_name(where), single.record.updates);
    r = request_of(SOLVER_DOUBLE_HALF);
    r.rule.first = BY_DEFECT_CORRECTION;
    r.rule.inner = 1e-2;
    const dirac_solved defect = solve(where, &r, &residual);
    fact(defect.converged && residual <= 1.01 * RESIDUAL && defect.record.cycles == defect.record.updates
             && defect.iterations >= by_delta.iterations,
         "%s: defect correction converges, in no fewer iterations: %d, %d cycles", place_name(where),
         defect.iterations, defect.record.cycles);
    r = request_of(SOLVER_DOUBLE_HALF);
    r.rule.delta = 1e-3;
    const dirac_solved few = solve(where, &r, &residual);
    fact(few.converged && few.record.updates < by_delta.record.updates,
         "%s: with a smaller delta there are fewer updates: %d", place_name(where), few.record.updates);
}

static void breakdowns(place where)
{
    double residual;
    request r = request_of(SOLVER_DOUBLE_SINGLE_HALF);
    r.wrong = true;
    wrong_factor = 0;
    wrong_format = VECTOR_HALF;
    dirac_solved s = solve(where, &r, &residual);
    fact(s.converged && residual <= 1.01 * RESIDUAL && !s.fallback && s.record.escalations == 1
             && s.record.why[BY_RELIABLE_UPDATES] == FAILED_BREAKDOWN && s.restarts > 0,
         "%s: if A v = 0 in half precision, single precision continues", place_name(where));
    wrong_format = VECTOR_NATIVE;
    r.precision = SOLVER_DOUBLE;
    s = solve(where, &r, &residual);
    fact(s.converged && residual <= 1.01 * RESIDUAL && s.fallback == FAILED_BREAKDOWN && s.fallback_at == 0
             && s.iterations > 0,
         "%s: if A v = 0, conjugate gradients solve the system, because %s", place_name(where),
         mixed_failure_names[s.fallback]);
    wrong_factor = NAN;
    s = solve(where, &r, &residual);
    fact(s.converged && residual <= 1.01 * RESIDUAL && s.fallback == FAILED_NUMBERS,
         "%s: and if A v is NaN: %s", place_name(where), mixed_failure_names[s.fallback]);
    wrong_factor = 0.01;
    s = solve(where, &r, &residual);
    fact(s.converged && residual <= 1.01 * RESIDUAL && s.fallback != NO_FAILURE,
         "%s: and if A v is another vector: %s", place_name(where), mixed_failure_names[s.fallback]);
    r.wrong = false;
    r.most = 5;
    s = solve(where, &r, &residual);
    fact(!s.converged && !s.fallback && s.iterations <= 6 && residual > RESIDUAL,
         "%s: a solve that is cut short says so", place_name(where));
}

/* A matrix that is nearly wrong in low precision: true residuals fall and rise.  Wherever the solve is cut short, it
 * returns the best solution of which it computed the true residual. */
static void best_solution(place where)
{
    enum { CAPACITY = 4 * ALWAYS };
    static residual_seen seen[CAPACITY];
    int worse_ones = 0, risen = 0;
    for (int most = 4; most <= 60; most += 2) {
        residual_history history = { .capacity = CAPACITY, .seen = seen };
        request r = request_of(SOLVER_DOUBLE_HALF);
        double residual, best = 1, last = 1;
        r.rule.delta = 0.7;
        r.rule.refinements = MIXED_NAIVE;
        r.rule.history = &history;
        r.most = most;
        solve(where, &r, &residual);
        for (int i = 0; i < history.count; i++)
            if (history.seen[i].is_true) {
                last = history.seen[i].residual;
                best = fmin(best, last);
            }
        risen += last > 1.001 * best;
        worse_ones += !(residual <= 1.001 * best);
    }
    fact(risen > 0, "%s: true residuals rise before the end of some solves (%d)", place_name(where), risen);
    fact(worse_ones == 0, "%s: a solve that is cut short returns its best solution (%d do not)", place_name(where),
         worse_ones);
}

/* The workspace of a solver has the vectors of a second one, which allocates only the states of its engines. */
static void terms_of_x(place where)
{
    static const int orders[] = { 1, 2, 4 };
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        for (solver_precision of = SOLVER_DOUBLE; of < SOLVER_ADAPTIVE; of++) {
            const dirac_solver_spec spec = square_spec(of, orders[i], 2);
            square_system s;
            square_create(&s, &(square_request){ .where = where, .kind = SQUARE_WILSON, .spec = spec });
            const memory_need need = dirac_solver_bytes(&s.plan, lattice_shape_of(s.l), spec);
            const size_t before = place_bytes_now(where);
            dirac_solver *second = dirac_solver_create(s.d, spec);
            const size_t taken = place_bytes_now(where) - before;
            fact(taken == need.cells, "%s, BiCGstab(%d), %s: all vectors lie in the workspace (%zu bytes besides, %zu "
                 "planned)", place_name(where), orders[i], solver_names[of], taken, need.cells);
            dirac_solver_free(second);
            square_free(&s);
        }
    square_system s;
    square_create(&s, &(square_request){ .where = where, .kind = SQUARE_WILSON,
                                         .spec = square_spec(SOLVER_DOUBLE, ORDER, 1) });
    int wrong = 0;
    for (stored_as in = STORED_DOUBLE; in < SOLVER_STORAGES; in++) {
        vec *low = dirac_vec_create(s.d, ON_ODD, solver_storages[in]), *terms = bicg_terms_create(low);
        const bool single = terms && vec_on_same_sites(terms, low) && terms->format == VECTOR_NATIVE
                            && terms->f.precision == PRECISION_SINGLE;
        wrong += low->format == VECTOR_HALF ? !single : terms != NULL;
        vec_free(terms);
        vec_free(low);
    }
    fact(wrong == 0, "%s: half alone sums the terms of x beside it, in single precision", place_name(where));
    square_free(&s);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        terms_of_x(where);
        half_alone_stalls(where);
        rules_of_updates(where);
        breakdowns(where);
        best_solution(where);
    }
    return facts_end();
}
