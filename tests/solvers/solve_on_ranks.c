/* solve_on_ranks.c - K + shift on random links, or C^+C with a small mass, has small eigenvalues: solves take long. */
#include "tests/solvers/solve_on_ranks.h"

#include "gpu/device.h"
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/halo/connection.h"
#include "src/halo/peers.h"
#include "src/lattice/grid.h"
#include "src/lattice/rng.h"
#include "src/lattice/vec_mixed.h"
#include "src/operators/staggered.h"
#include "src/solvers/cg_space.h"
#include "src/solvers/krylov.h"
#include "src/solvers/solver.h"

#include <string.h>

const int solve_extents[4] = { 8, 16, 16, 16 };

enum { SYSTEMS_MOST = 2 };            /* of a row */
#define SHIFT 1e-4
#define RESIDUAL 1e-10

static uint64_t add_solution(uint64_t digest, const vec *x)
{
    const size_t reals = (size_t)lattice_volume(x->f.lattice) * VEC_REALS * (size_t)x->f.slabs;
    double *solution = memory_alloc(reals * sizeof *solution, "a solution");
    vec_export(solution, x);
    digest = digest64(digest, solution, reals * sizeof *solution);
    memory_free(solution);
    return digest;
}

/* What rank 0 sees. */
static void note_ways(solve_task *t, lattice *l, bool was_persistent)
{
    if (!comm_is_root(comm_world()))
        return;
    const connection *c = t->grid && t->where == PLACE_GPU ? connection_of(l, t->where) : NULL;
    t->persistent = was_persistent;
    t->by_nccl = c && c->by == &transport_nccl;
    t->beside = c && c->by == &transport_peer ? peers_hops_beside(c->state) : 0;
}

static solve_digest solve_staggered(solve_task *t)
{
    const lattice_shape shape = grid_shape_here(t->extents, t->row->hops);
    const precision p = PRECISION_DOUBLE;
    lattice *l = lattice_create(&shape);
    gauge *fat = gauge_create(l, t->where, p), *naik = gauge_create_straight(l, t->where, p);
    vec *between = vec_create(l, ON_ODD, t->where, p), *b = vec_create(l, ON_EVEN, t->where, p);
    vec *x = vec_create(l, ON_EVEN, t->where, p);
    cg_space *w = cg_space_create(l, ON_EVEN, t->where, p);
    solve_digest r = { .solutions = DIGEST64_START };
    gauge_set_random(fat, rng_key_for(91, 0, 0, RNG_TEST));
    gauge_set_random(naik, rng_key_for(91, 0, 1, RNG_TEST));
    const staggered_normal_op k = staggered_normal_operator_with((staggered_terms){ fat, naik, -0.1 }, between);
    for (int n = 0; n < t->solves; n++) {
        vec_set_gaussian(b, rng_key_for(91, n, 2, RNG_TEST), 0);
        vec_zero(x);
        r.iterations += cg_solve(&k.base, x, SHIFT, b, (stop_rule){ RESIDUAL, t->iterations }, w).iterations;
        r.solutions = add_solution(r.solutions, x);
    }
    note_ways(t, l, loop_was_persistent(krylov_loop(w->engine)));
    cg_space_free(w);
    vec_free(x);
    vec_free(b);
    vec_free(between);
    gauge_free(naik);
    gauge_free(fat);
    lattice_free(l);
    return r;
}

/* By C^+C, or with BiCGstab by C. */
static void solve_systems(square_system *s, const solve_row *row, dirac_task *task, const dirac_goal *goal)
{
    if (row->order > 0)
        dirac_solve_square_all(s->w, s->m, false, task, row->systems, goal);
    else
        dirac_solve_all(s->w, s->m, task, row->systems, goal);
}

static solve_digest solve_square(solve_task *t)
{
    const solve_row *row = t->row;
    const dirac_goal goal = { .precision = row->precision, .residual = RESIDUAL, .max_iterations = t->iterations };
    solve_digest r = { .solutions = DIGEST64_START };
    square_system s;
    vec *x[SYSTEMS_MOST], *b[SYSTEMS_MOST];
    square_create(&s, &(square_request){ .where = t->where, .grid = t->grid, .extents = t->extents, .kind = row->kind,
                                         .spec = square_spec(row->precision, row->order, row->systems),
                                         .closer = row->closer });
    for (int i = 0; i < row->systems; i++) {
        x[i] = vec_create_like(s.x);
        b[i] = vec_create_like(s.b);
    }
    for (int n = 0; n < t->solves; n++) {
        dirac_task task[SYSTEMS_MOST];
        for (int i = 0; i < row->systems; i++) {
            square_source(b[i], n * SYSTEMS_MOST + i);
            vec_zero(x[i]);
            task[i] = (dirac_task){ .x = x[i], .b = b[i] };
        }
        solve_systems(&s, row, task, &goal);
        for (int i = 0; i < row->systems; i++) {
            r.iterations += task[i].solved.iterations;
            r.solutions = add_solution(r.solutions, x[i]);
        }
    }
    note_ways(t, s.l, false);
    for (int i = 0; i < row->systems; i++) {
        vec_free(b[i]);
        vec_free(x[i]);
    }
    square_free(&s);
    return r;
}

#define SQUARE(of, how_close) .solve = solve_square, .hops = GRID_HOPS_LEAST, .kind = of, .closer = how_close
#define CLOVER SQUARE(SQUARE_CLOVER, 1)
#define MOBIUS SQUARE(SQUARE_DWF, 0.05)

const solve_row solve_rows[SOLVE_ROWS] = {
    [SOLVE_STAGGERED] = { "staggered, double", .solve = solve_staggered, .hops = GRID_HOPS_MOST },
    { "clover, single", CLOVER, .precision = SOLVER_DOUBLE_SINGLE, .systems = 1 },
    { "clover, half", CLOVER, .precision = SOLVER_DOUBLE_HALF, .systems = 1 },
    { "clover, int20", CLOVER, .precision = SOLVER_DOUBLE_INT20, .systems = 1 },
    { "clover, single, BiCGstab", CLOVER, .precision = SOLVER_DOUBLE_SINGLE, .systems = 1, .order = 1 },
    { "clover, single, two systems", CLOVER, .precision = SOLVER_DOUBLE_SINGLE, .systems = 2 },
    { "Wilson, single", SQUARE(SQUARE_WILSON, 1), .precision = SOLVER_DOUBLE_SINGLE, .systems = 1 },
    { "twisted clover, single", SQUARE(SQUARE_TWISTED, 1), .precision = SOLVER_DOUBLE_SINGLE, .systems = 1 },
    { "Moebius, single", MOBIUS, .precision = SOLVER_DOUBLE_SINGLE, .systems = 1 },
    { "Moebius, half", MOBIUS, .precision = SOLVER_DOUBLE_HALF, .systems = 1 },
    { "Moebius, int20", MOBIUS, .precision = SOLVER_DOUBLE_INT20, .systems = 1 },
    { "Moebius, single, two systems", MOBIUS, .precision = SOLVER_DOUBLE_SINGLE, .systems = 2 },
};

static int solve(void *of)
{
    solve_task *t = of;
    failure why;
    grid_want(t->grid);
    if (t->where == PLACE_GPU)
        require(device_open(comm_rank(comm_world()) % device_count(NULL), &why), "%s", why.why);
    t->of[comm_rank(comm_world())] = t->row->solve(t);
    return 0;
}

static int ranks_of(const solve_task *t)
{
    return t->grid ? t->grid[0] * t->grid[1] * t->grid[2] * t->grid[3] : 1;
}

void solve_on_ranks(solve_task *t)
{
    if (t->grid)
        comm_run_threads(ranks_of(t), solve, t);
    else
        solve(t);
}

int solve_differences(const solve_task *t, const solve_digest *single)
{
    int different = 0;
    for (int r = 0; r < ranks_of(t); r++)
        different += memcmp(&t->of[r], single, sizeof *single) != 0;
    return different;
}
