/* solve_on_ranks.c - K + shift on random links has small eigenvalues: a solve takes long. */
#include "tests/solvers/solve_on_ranks.h"

#include "gpu/device.h"
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/halo/connection.h"
#include "src/lattice/grid.h"
#include "src/lattice/rng.h"
#include "src/operators/staggered.h"
#include "src/solvers/cg_space.h"
#include "src/solvers/krylov.h"
#include "src/solvers/solver.h"

#include <string.h>

const int solve_extents[4] = { 8, 16, 16, 16 };

static int solve(void *of)
{
    const double shift = 1e-4;
    solve_task *t = of;
    failure why;
    grid_want(t->grid);
    if (t->where == PLACE_GPU)
        require(device_open(comm_rank(comm_world()) % device_count(NULL), &why), "%s", why.why);
    const lattice_shape shape = grid_shape_here(solve_extents, GRID_HOPS_MOST);
    const precision p = PRECISION_DOUBLE;
    lattice *l = lattice_create(&shape);
    gauge *fat = gauge_create(l, t->where, p), *naik = gauge_create_straight(l, t->where, p);
    vec *between = vec_create(l, ON_ODD, t->where, p), *b = vec_create(l, ON_EVEN, t->where, p);
    vec *x = vec_create(l, ON_EVEN, t->where, p);
    cg_space *w = cg_space_create(l, ON_EVEN, t->where, p);
    const size_t reals = (size_t)lattice_volume(l) * VEC_REALS;
    double *solution = memory_alloc(reals * sizeof *solution, "a solution");
    solve_digest r = { .solutions = DIGEST64_START };
    gauge_set_random(fat, rng_key_for(91, 0, 0, RNG_TEST));
    gauge_set_random(naik, rng_key_for(91, 0, 1, RNG_TEST));
    const staggered_normal_op k = staggered_normal_operator_with((staggered_terms){ fat, naik, -0.1 }, between);
    for (int n = 0; n < t->solves; n++) {
        vec_set_gaussian(b, rng_key_for(91, n, 2, RNG_TEST), 0);
        vec_zero(x);
        r.iterations += cg_solve(&k.base, x, shift, b, (stop_rule){ 1e-10, t->iterations }, w).iterations;
        vec_export(solution, x);
        r.solutions = digest64(r.solutions, solution, reals * sizeof *solution);
    }
    t->of[comm_rank(comm_world())] = r;
    if (comm_is_root(comm_world()))
        t->persistent = loop_was_persistent(krylov_loop(w->engine));
    if (comm_is_root(comm_world()))
        t->by_nccl = t->grid && t->where == PLACE_GPU && connection_of(l, t->where)->by == &transport_nccl;
    memory_free(solution);
    cg_space_free(w);
    vec_free(x);
    vec_free(b);
    vec_free(between);
    gauge_free(naik);
    gauge_free(fat);
    lattice_free(l);
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
