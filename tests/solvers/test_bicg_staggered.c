/* test_bicg_staggered.c - BiCGstab(l) with the staggered operator 2m + D on all sites: the solutions of conjugate
 * gradients, true residuals in every format, the same bits in batches and on any grid, and a breakdown. */
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/lattice/grid.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/staggered_full.h"
#include "src/solvers/bicg_mixed.h"
#include "src/solvers/solver_choice.h"
#include "tests/facts.h"
#include "tests/lattice/vec_sums.h"
#include "tests/on_every_backend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 3, MOST_RANKS = 4, ALWAYS = 20000 };
#define MASS 0.4

static const int extents[4] = { 4, 4, 8, 8 };
static const staggered_links_params hisq = { .kind = STAGGERED_HISQ, .u0 = 1, .projection = PROJECTION_U3,
                                             .boundary = 1, .epsilons = 1 };
static const int orders[] = { 1, 2, 4 };
enum { ORDERS = sizeof orders / sizeof *orders };

typedef struct {
    lattice *l;
    gauge *u;
    staggered_links *links;
    staggered_low *low;
    staggered_full_op high, op;
    cg_space *space;
    bicg_space *bicg;
    vec *b, *x;
} system_of_quarks;

typedef struct {
    place where;
    const int *grid;
    stored_as stored;
    int order;
    bool dagger;
    uint64_t of[MOST_RANKS];             /* a number of the solution, from each rank */
} request;

static void begin(system_of_quarks *s, const request *r)
{
    const vec_storage in = solver_storages[r->stored];
    grid_want(r->grid);
    const lattice_shape shape = grid_shape_here(extents, GRID_HOPS_MOST);
    memset(s, 0, sizeof *s);
    s->l = lattice_create(&shape);
    s->u = gauge_create(s->l, r->where, PRECISION_DOUBLE);
    gauge_set_random(s->u, rng_key_for(90, 0, 0, RNG_TEST));
    s->links = staggered_links_create(&hisq, s->u);
    staggered_links_update(s->links, s->u);
    s->b = vec_create(s->l, ON_ALL, r->where, PRECISION_DOUBLE);
    s->x = vec_create(s->l, ON_ALL, r->where, PRECISION_DOUBLE);
    vec_set_gaussian(s->b, rng_key_for(91, 0, 0, RNG_TEST), 0);
    s->high = s->op = staggered_full_operator(s->links, 0, r->dagger);
    if (r->stored != STORED_DOUBLE) {
        s->low = staggered_low_create(s->links, in.format, in.precision);
        staggered_low_update(s->low);
        s->op = staggered_full_operator_low(s->low, 0, r->dagger);
    }
    vec *like = vec_create_stored(s->l, ON_ALL, r->where, in, 1);
    s->space = cg_space_create_refining(s->b, SLOTS);
    s->bicg = bicg_space_create(s->space, like, r->order, SLOTS);
    vec_free(like);
}

static void end(system_of_quarks *s)
{
    bicg_space_free(s->bicg);
    cg_space_free(s->space);
    staggered_low_free(s->low);
    vec_free(s->x);
    vec_free(s->b);
    staggered_links_free(s->links);
    gauge_free(s->u);
    lattice_free(s->l);
}

static void solve(system_of_quarks *s, mixed_task *task, int tasks)
{
    const mixed_rule rule = mixed_rule_default();
    const bicg_low low = { &s->op.base, s->bicg, NULL };
    bicg_solve_batch(&s->high.base, &low, task, tasks, &rule);
}

static solve_result solve_one(system_of_quarks *s, double mass, double residual)
{
    mixed_task task = { .x = s->x, .shift = 2 * mass, .b = s->b, .stop = { residual, ALWAYS } };
    vec_zero(s->x);
    solve(s, &task, 1);
    return task.result.solve;
}

/* |b - A x| / |b| */
static double residual_of(const system_of_quarks *s, double mass, const vec *x, const vec *b)
{
    vec *r = vec_create_like(b);
    s->high.base.apply(&s->high.base, r, 2 * mass, x);
    vec_axpy(r, -1, b);
    const double residual = sqrt(vec_norm2(r) / vec_norm2(b));
    vec_free(r);
    return residual;
}

/* M^+ M x = M^+ b by the solver of hermitian systems, on even sites: x_e = (K + 4m^2)^-1 (M^+ b)_e. */
static double distance_from_cg(const system_of_quarks *s, double mass, bool dagger)
{
    lattice *l = s->l;
    const place where = s->b->f.where;
    staggered_full_op adjoint = staggered_full_operator(s->links, 0, !dagger);
    vec *rhs = vec_create_like(s->b), *even = vec_create(l, ON_EVEN, where, PRECISION_DOUBLE);
    vec *x = vec_create(l, ON_EVEN, where, PRECISION_DOUBLE), *mine = vec_create(l, ON_EVEN, where, PRECISION_DOUBLE);
    vec *between = vec_create(l, ON_ODD, where, PRECISION_DOUBLE);
    double *numbers = memory_alloc((size_t)lattice_volume(l) * VEC_REALS * sizeof *numbers, "a vector");
    cg_space *w = cg_space_create(l, ON_EVEN, where, PRECISION_DOUBLE);
    const staggered_normal_op k = staggered_normal_operator(s->links, 0, between);
    adjoint.base.apply(&adjoint.base, rhs, 2 * mass, s->b);
    vec_export(numbers, rhs);
    vec_import(even, numbers);
    vec_export(numbers, s->x);
    vec_import(mine, numbers);
    cg_solve(&k.base, x, 4 * mass * mass, even, (stop_rule){ 1e-14, ALWAYS }, w);
    const double size = vec_norm2(x);
    vec_axpy(mine, -1, x);
    const double distance = sqrt(vec_norm2(mine) / size);
    cg_space_free(w);
    memory_free(numbers);
    vec_free(between);
    vec_free(mine);
    vec_free(x);
    vec_free(even);
    vec_free(rhs);
    return distance;
}

static void solutions(place where, int order)
{
    for (int dagger = 0; dagger < 2; dagger++) {
        system_of_quarks s;
        begin(&s, &(request){ .where = where, .order = order, .dagger = dagger });
        const solve_result r = solve_one(&s, MASS, 3e-13);
        fact(r.converged && residual_of(&s, MASS, s.x, s.b) <= 3.03e-13, "%s, BiCGstab(%d): 2m %c D: %d iterations",
             place_name(where), order, dagger ? '-' : '+', r.iterations);
        fact_close(distance_from_cg(&s, MASS, dagger), 0, 1e-12, "and the solution is that of conjugate gradients");
        end(&s);
    }
    for (stored_as stored = STORED_SINGLE; stored < SOLVER_STORAGES; stored++) {
        system_of_quarks s;
        begin(&s, &(request){ .where = where, .order = order, .stored = stored });
        const solve_result r = solve_one(&s, MASS, 1e-10);
        fact(r.converged && residual_of(&s, MASS, s.x, s.b) <= 1.01e-10,
             "%s, BiCGstab(%d), %s: a true residual of 1e-10 after %d iterations", place_name(where), order,
             stored_names[stored], r.iterations);
        end(&s);
    }
}

/* Systems of different masses, of which one is solved by its start vector. */
static void batches(place where)
{
    enum { SYSTEMS = 5 };
    system_of_quarks s;
    mixed_task task[SYSTEMS];
    begin(&s, &(request){ .where = where, .order = 4, .stored = STORED_HALF });
    for (int n = 0; n < SYSTEMS; n++) {
        task[n] = (mixed_task){ .x = vec_create_like(s.b), .shift = 2 * (MASS + 0.3 * n), .b = s.b,
                                .stop = { pow(10, -6 - n), ALWAYS } };
        vec_zero(task[n].x);
    }
    solve(&s, task, SYSTEMS);
    for (int n = 0; n < SYSTEMS; n++) {
        const solve_result one = solve_one(&s, task[n].shift / 2, task[n].stop.tolerance);
        vec_axpy(s.x, -1, task[n].x);
        fact(one.converged && one.iterations == task[n].result.solve.iterations && vec_norm2(s.x) == 0,
             "%s: system %d of a batch has the bits of a separate solve", place_name(where), n);
        vec_free(task[n].x);
    }
    end(&s);
}

static int digest_solution(void *of)
{
    request *r = of;
    system_of_quarks s;
    begin(&s, r);
    const solve_result solved = solve_one(&s, MASS, 1e-9);
    r->of[comm_rank(comm_world())] = digest64(vec_digest(DIGEST64_START, s.x), &solved.iterations,
                                              sizeof solved.iterations);
    end(&s);
    return 0;
}

static void same_on_grids(place where, stored_as stored)
{
    static const int grids[][4] = { { 1, 1, 1, 2 }, { 1, 1, 2, 2 } };
    request single = { .where = where, .stored = stored, .order = 4 };
    digest_solution(&single);
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        request r = single;
        const int ranks = grids[g][2] * grids[g][3];
        int different = 0;
        r.grid = grids[g];
        comm_run_threads(ranks, digest_solution, &r);
        for (int n = 0; n < ranks; n++)
            different += r.of[n] != single.of[0];
        fact(different == 0, "%s, %s: the same bits on %d ranks", place_name(where), stored_names[stored], ranks);
    }
}

/* D b is on odd sites if b is on even ones: (s, D r) = 0. */
static void breakdown(place where)
{
    system_of_quarks s;
    begin(&s, &(request){ .where = where, .order = 1 });
    const size_t reals = (size_t)lattice_volume(s.l) * VEC_REALS;
    double *numbers = memory_alloc(reals * sizeof *numbers, "a source");
    vec *even = vec_create(s.l, ON_EVEN, where, PRECISION_DOUBLE);
    vec_set_gaussian(even, rng_key_for(91, 0, 1, RNG_TEST), 0);
    vec_export(numbers, even);
    vec_import(s.b, numbers);
    mixed_task task = { .x = s.x, .b = s.b, .stop = { 1e-10, ALWAYS } };
    vec_zero(s.x);
    solve(&s, &task, 1);
    fact(!task.result.solve.converged && task.result.record.why[BY_RELIABLE_UPDATES] == FAILED_BREAKDOWN
             && task.result.solve.restarts > 0,
         "%s: without mass and with a source on even sites: %s", place_name(where),
         mixed_failure_names[task.result.record.why[BY_RELIABLE_UPDATES]]);
    vec_free(even);
    memory_free(numbers);
    end(&s);
}

int main(void)
{
    FOR_EVERY_PLACE(where) {
        for (int i = 0; i < ORDERS; i++)
            solutions(where, orders[i]);
        batches(where);
        breakdown(where);
        for (stored_as stored = STORED_DOUBLE; stored < SOLVER_STORAGES && where == PLACE_CPU; stored++)
            same_on_grids(where, stored);
    }
    return facts_end();
}
