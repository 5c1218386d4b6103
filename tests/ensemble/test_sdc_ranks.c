/* test_sdc_ranks.c - a force that differs on one rank is a mismatch on all, and ascribed to this rank alone. */
#include "src/base/memory.h"
#include "src/ensemble/ensemble.h"
#include "src/ensemble/sdc_check.h"
#include "src/lattice/grid.h"
#include "tests/facts.h"
#include "tests/hmc/run_system.h"
#include "tests/io/scratch.h"

#include <math.h>

#define INPUT                                                                                           \
    "lattice: [4, 4, 4, 8]\n"                                                                           \
    "random: { seed: 5 }\n"                                                                             \
    "monomials: [ { kind: gauge, name: gauge, action: symanzik_tree, beta: 4 } ]\n"                     \
    "hmc: { trajectories: 1, levels: [ { integrator: leapfrog, steps: 3, monomials: [ gauge ] } ] }\n"  \
    "sdc_check: { rate: 1 }\n"                                                                          \
    "output: { directory: \"%s/e\" }\n"

enum { RANKS = 2 };
typedef struct { const char *folder; sdc_check_verdict verdict; failure why; } rank_story;

/* Turns over the last bit of the last number: at the last site, which the last rank has. */
static void flip_last(void *with, int64_t trajectory, field *result, double *action)
{
    (void)with, (void)trajectory, (void)action;
    const size_t count = (size_t)lattice_volume(result->lattice) * (size_t)result->reals;
    double *numbers = memory_alloc(count * sizeof *numbers, "a force");
    field_export(numbers, result);
    numbers[count - 1] = nextafter(numbers[count - 1], INFINITY);
    field_import(result, numbers);
    memory_free(numbers);
}

static int compare_on_rank(void *of)
{
    rank_story *mine = (rank_story *)of + comm_rank(comm_world());
    static const int grid[4] = { 1, 1, 1, RANKS };
    const sdc_check_hook hook = { flip_last, NULL };
    const sdc_check_choice choice = { .step = 0, .term = 0, .what = SDC_CHECK_FORCE };
    const sdc_check_task task = { .choice = &choice, .trajectory = 1, .hook = &hook };
    grid_want(grid);
    run_system r = run_system_create(PLACE_CPU, PRECISION_DOUBLE, INPUT, mine->folder);
    gauge_set_random(r.u, (rng_key){ { 1, 2 }, { 3, 4 } });
    mine->verdict = sdc_check_compare(&r.in->p, r.h, r.u, &task, &mine->why);
    run_system_free(&r);
    return 0;
}

int main(void)
{
    scratch s = scratch_create();
    char path[700];
    snprintf(path, sizeof path, "%s/e", s.folder);
    require(mkdir(path, 0777) == 0, "%s: cannot be made", path);
    rank_story of[RANKS] = { { .folder = s.folder }, { .folder = s.folder } };
    comm_run_threads(RANKS, compare_on_rank, of);
    for (int r = 0; r < RANKS; r++)
        fact(of[r].verdict == SDC_CHECK_DIFFERS && strstr(of[r].why.why, "on rank 1: CPU")
                 && !strstr(of[r].why.why, "rank 0"),
             "rank %d: a force that differs on rank 1 is a mismatch of rank 1 alone: %s", r, of[r].why.why);
    blob b = blob_read(scratch_path(&s, "e/sdc.000001/sdc.json"));
    text words = { 0 };
    text_add_bytes(&words, (const char *)b.bytes, b.n);
    fact(strstr(text_string(&words), "\"numbers_that_differ\": 1"), "of one number");
    text_free(&words);
    free(b.bytes);
    char command[400];
    snprintf(command, sizeof command, "rm -rf '%s/e'", s.folder);
    require(system(command) == 0, "%s cannot be emptied", s.folder);
    scratch_remove(&s);
    return facts_end();
}
