/* test_plan_ranks.c - plans for ranks that are not there: the memory of a rank is what a rank then takes, and a run
 * fits from that number of GPUs on whose ranks are small enough. */
#include "src/base/log.h"
#include "src/base/text.h"
#include "src/comm/comm.h"
#include "src/lattice/grid.h"
#include "src/lattice/place_memory.h"
#include "src/tune/plan_ranks.h"
#include "tests/facts.h"
#include "tests/hmc/run_system.h"
#include "tests/hmc/run_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD(extents) "lattice: [" extents "]\nrandom: { seed: 3 }\nmonomials:\n" \
    "  - { kind: gauge, name: gauge, action: symanzik_tree, beta: 5.6 }\n"
#define TAIL "hmc:\n  trajectory_length: 0.1\n  trajectories: 2\n  thermalization: 2\n" \
    "  levels: [ { integrator: omelyan, steps: 1, monomials: [ %s ] } ]\noutput: { directory: unused }\n"
#define HISQ(extents) HEAD(extents) \
    "  - { kind: staggered, name: quarks, action: hisq, solver: double-single-half, " \
    "determinants: [ { quarks: [ { mass: 0.4, flavors: 2 } ] } ], " \
    "residuals: { refresh: 1e-5, action: 1e-5, force: 1e-4 } }\n" TAIL

static const struct { const char *name, *input, *monomials; } inputs[] = {
    { "gluons", HEAD("4, 4, 4, 8") TAIL, "gauge" },
    { "domain-wall quarks",
      HEAD("4, 4, 4, 4") "  - { kind: domain_wall, name: quarks, Ls: 8, solver: double-single, determinants: "
      "[ { flavors: 2, mass: 0.4 } ], residuals: { refresh: 1e-5, action: 1e-5, force: 1e-4 } }\n" TAIL,
      "quarks, gauge" },
    { "HISQ quarks", HISQ("8, 8, 8, 8"), "quarks, gauge" },
};
enum { INPUTS = sizeof inputs / sizeof *inputs, RANKS = 16 };

static const int grids[][4] = { { 1, 1, 1, 2 }, { 2, 2, 2, 2 } };

typedef struct { size_t input; const int *grid; size_t taken[RANKS]; } task;

static int measure_peak(void *of)
{
    task *t = of;
    grid_want(t->grid);
    run_system s = run_system_create(PLACE_CPU, PRECISION_DOUBLE, inputs[t->input].input, inputs[t->input].monomials);
    const size_t more = momentum_bytes(lattice_shape_of(s.l), PRECISION_DOUBLE);    /* s.p */
    run_system_trajectory(&s, 1);
    t->taken[comm_rank(comm_world())] = place_bytes_peak(PLACE_CPU) - more;
    run_system_free(&s);
    return 0;
}

static void rank_uses_planned_memory(size_t input, const int grid[4])
{
    task t = { .input = input, .grid = grid };
    run_input in;
    const int ranks = grid[0] * grid[1] * grid[2] * grid[3];
    const grid_request before = grid_pretend((grid_request){ ranks, { grid[0], grid[1], grid[2], grid[3] }, 1 });
    run_from_text(&in, inputs[input].input, inputs[input].monomials);
    const size_t planned = hmc_memory_needed(&in.p, PLACE_CPU, true, false);
    grid_pretend(before);
    run_input_free(&in);
    comm_run_threads(ranks, measure_peak, &t);
    int different = 0;
    for (int r = 0; r < ranks; r++)
        different += t.taken[r] != planned;
    fact(different == 0, "%s on a grid of %s: each rank takes %zu bytes of memory, %zu were planned",
         inputs[input].name, extents_to_text(grid).s, t.taken[0], planned);
}

/* Bytes of a rank on the best grid; 0: there is none. */
static size_t bytes_on(const run_params *p, int ranks)
{
    grid_request r = { .ranks = ranks };
    failure why;
    if (!grid_choose(r.grid, p->extents, ranks, run_hops(p), &why))
        return 0;
    const grid_request before = grid_pretend(r);
    const size_t bytes = hmc_memory_needed(p, PLACE_CPU, true, false);
    grid_pretend(before);
    return bytes;
}

/* For GPUs with exactly the memory of one of n ranks, and with a byte less.  Blocks of 4^4 have more ghosts than sites:
 * dividing 8^4 further does not help. */
static void fits_from(void)
{
    static const int numbers[] = { 1, 2, 4, 8, 16 };
    run_input in;
    int wrong = 0;
    run_from_text(&in, HISQ("32, 32, 32, 32"), "quarks, gauge");
    for (int i = 0; i < 4; i++) {
        const size_t bytes = bytes_on(&in.p, numbers[i]);
        const ranks_fit just = plan_ranks_find(&in.p, bytes), less = plan_ranks_find(&in.p, bytes - 1);
        wrong += just.ranks != numbers[i] || just.bytes != bytes || less.ranks <= numbers[i];
        wrong += plan_ranks_find(&in.p, bytes_on(&in.p, numbers[i + 1])).ranks != numbers[i + 1];
    }
    fact(wrong == 0, "32^4 fits from 1, 2, 4, 8 or 16 GPUs on, whose memory is that of a rank (%d of 8 differ)", wrong);
    run_input_free(&in);
    run_from_text(&in, inputs[2].input, inputs[2].monomials);
    size_t least = bytes_on(&in.p, 1);
    for (int i = 1; i < 5; i++)
        least = bytes_on(&in.p, numbers[i]) < least ? bytes_on(&in.p, numbers[i]) : least;
    fact(plan_ranks_find(&in.p, least - 1).ranks == 0 && bytes_on(&in.p, 16) > least,
         "with less than the smallest, which is not that of most ranks, it fits on none");
    fact(grid_is_possible_here((int[4]){ 2, 2, 2, 2 }, 3, NULL) && run_shape(&in.p).local[3] == 8,
         "afterwards there is one rank again");
    run_input_free(&in);
}

/* Sites of a rank have numbers of 32 bits: GPUs with all the memory there is do not hold more of them. */
static void more_sites_than_a_rank_has(void)
{
    static const int large[4] = { 256, 256, 256, 512 };
    const double sites = 256.0 * 256 * 256 * 512;
    run_input in;
    run_from_text(&in, inputs[0].input, inputs[0].monomials);
    memcpy(in.p.extents, large, sizeof large);
    const ranks_fit fit = plan_ranks_find(&in.p, SIZE_MAX);
    fact(fit.bytes > 0 && fit.ranks > 1 && sites / fit.ranks < LATTICE_MAX_INDEX,
         "256^3 x 512 needs %d ranks of any memory, each of which has %.3g sites and %.3g bytes", fit.ranks,
         sites / fmax(fit.ranks, 1), (double)fit.bytes);
    run_input_free(&in);
}

/* Whether the run of a file of input/ fits so many GPUs of the memory of an H200, and how much it takes on all. */
static void fits_at_size(const char *name, const char *set, int ranks, double all_gib)
{
    enum { GPU_GIB = 139 };
    const double gib = 1073741824.0;
    char path[4096];
    fault_list faults = { 0 };
    run_input in;
    const char *folder = getenv("srcdir");
    snprintf(path, sizeof path, "%s/input/%s", folder ? folder : ".", name);
    const bool readable = run_input_read(&in, path, &(char *const){ (char *)set }, 1, &faults);
    const double bytes = readable ? (double)bytes_on(&in.p, ranks) : NAN;
    const int from = readable ? plan_ranks_find(&in.p, (size_t)(GPU_GIB * gib)).ranks : 0;
    fact(from > 0 && from <= ranks && bytes > 0 && bytes * ranks <= all_gib * gib,
         "%s on %s fits from %d GPUs of %d GiB on, and takes %.0f GiB on %d", name, set, from, GPU_GIB,
         bytes * ranks / gib, ranks);
    if (readable)
        run_input_free(&in);
    fault_list_free(&faults);
}

int main(void)
{
    log_set_quiet(true);
    fits_at_size("dwf_2p1_48x48x48x96.yaml", "lattice=[48,48,48,96]", 8, 1000);
    fits_at_size("hisq_48x48x48x96.yaml", "lattice=[64,64,64,96]", 4, 556);
    fits_from();
    more_sites_than_a_rank_has();
    for (size_t i = 0; i < INPUTS; i++)
        for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
            rank_uses_planned_memory(i, grids[g]);
    return facts_end();
}
