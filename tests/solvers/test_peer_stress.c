/* test_peer_stress.c - ghosts and sums between GPUs arrive before they are read, however late a rank comes: with
 * random delays of the kernels that pack, wait and add (KILN_PEER_STRESS), thousands of iterations of a solver give the
 * bits of one rank.  Ranks share a GPU where there are fewer GPUs than ranks. */
#include "gpu/device.h"
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/lattice/grid.h"
#include "src/lattice/rng.h"
#include "src/operators/staggered.h"
#include "src/solvers/solver.h"
#include "tests/facts.h"
#include "tests/on_every_backend.h"

#include <stdlib.h>
#include <string.h>

enum { SOLVES = 2, ITERATIONS = 2000, MOST_RANKS = 4 };

static const int extents[4] = { 8, 8, 8, 16 };                  /* split in t, a rank has an interior */
static const int grids[][4] = { { 1, 1, 1, 2 }, { 1, 1, 2, 2 } };
enum { GRIDS = sizeof grids / sizeof *grids };

typedef struct { uint64_t solutions; int64_t iterations; } result;
typedef struct { place where; const int *grid; result of[MOST_RANKS]; } task;

/* K + shift on random links has small eigenvalues: a solve takes long. */
static int solve(void *of)
{
    const double shift = 1e-4;
    task *t = of;
    failure why;
    grid_want(t->grid);
    if (t->where == PLACE_GPU)
        require(device_open(comm_rank(comm_world()) % device_count(NULL), &why), "%s", why.why);
    const lattice_shape shape = grid_shape_here(extents, GRID_HOPS_MOST);
    const precision p = PRECISION_DOUBLE;
    lattice *l = lattice_create(&shape);
    gauge *fat = gauge_create(l, t->where, p), *naik = gauge_create_straight(l, t->where, p);
    vec *between = vec_create(l, ON_ODD, t->where, p), *b = vec_create(l, ON_EVEN, t->where, p);
    vec *x = vec_create(l, ON_EVEN, t->where, p);
    cg_space *w = cg_space_create(l, ON_EVEN, t->where, p);
    const size_t reals = (size_t)lattice_volume(l) * VEC_REALS;
    double *solution = memory_alloc(reals * sizeof *solution, "a solution");
    result r = { .solutions = DIGEST64_START };
    gauge_set_random(fat, rng_key_for(91, 0, 0, RNG_TEST));
    gauge_set_random(naik, rng_key_for(91, 0, 1, RNG_TEST));
    const staggered_normal_op k = staggered_normal_operator_with((staggered_terms){ fat, naik, -0.1 }, between);
    for (int n = 0; n < SOLVES; n++) {
        vec_set_gaussian(b, rng_key_for(91, n, 2, RNG_TEST), 0);
        vec_zero(x);
        r.iterations += cg_solve(&k.base, x, shift, b, (stop_rule){ 1e-10, ITERATIONS }, w).iterations;
        vec_export(solution, x);
        r.solutions = digest64(r.solutions, solution, reals * sizeof *solution);
    }
    t->of[comm_rank(comm_world())] = r;
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

static void same_bits_under_stress(const char *seed, const result *single)
{
    setenv("KILN_PEER_STRESS", seed, 1);
    for (int g = 0; g < GRIDS; g++) {
        task t = { .where = PLACE_GPU, .grid = grids[g] };
        const int ranks = grids[g][0] * grids[g][1] * grids[g][2] * grids[g][3];
        int different = 0;
        comm_run_threads(ranks, solve, &t);
        for (int r = 0; r < ranks; r++)
            different += memcmp(&t.of[r], single, sizeof t.of[r]) != 0;
        fact(different == 0, "seed %s: the solutions on a grid of %s have the bits of one rank", seed,
             extents_to_text(grids[g]).s);
    }
}

static void solve_under_stress(void)
{
    task single = { .where = PLACE_GPU };
    solve(&single);
    fact(single.of[0].iterations > 2000, "there are thousands of iterations (%lld)",
         (long long)single.of[0].iterations);
    same_bits_under_stress("1", &single.of[0]);
    same_bits_under_stress("20261123", &single.of[0]);
}

int main(void)
{
    /* Threads that share a GPU: no kernel is loaded, and none waits for its turn, while another waits for it. */
    setenv("KILN_TRANSPORT", "peer", 1);
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
    if (place_is_there(PLACE_GPU))
        solve_under_stress();
    return facts_end();
}
