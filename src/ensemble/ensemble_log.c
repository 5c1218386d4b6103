/* ensemble_log.c - open the log of a run, and write its first lines. */
#include "src/ensemble/ensemble_inside.h"

#include "src/base/log.h"
#include "src/base/version.h"
#include "src/comm/comm.h"
#include "src/ensemble/rank_machine.h"

#include <omp.h>
#include <string.h>

static bool is_of_compilers(const version_fact *fact)
{
    static const char *const keys[] = { "compiler", "flags", "kernel_flags", "nvcc", "nvcc_flags" };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(fact->key, keys[i]) == 0)
            return *fact->value != 0;
    return false;
}

/* The program that makes the following trajectories: version and commit, machine and device of rank 0, ranks and their
 * grid, compilers and their flags.  Only for the log file: kiln version prints it. */
static void log_program(const lattice_shape *shape, place where)
{
    const rank_machine here = rank_machine_here(where);
    const int ranks = comm_size(comm_world());
    int grid[4];
    text line = { 0 };
    for (int mu = 0; mu < 4; mu++)
        grid[mu] = shape->global[mu] / shape->local[mu];
    text_add(&line, "program %s on %s, %s, %s, %s on a grid of %s", version_program(), here.host, here.device,
             count_to_text(omp_get_max_threads(), "thread").s, count_to_text(ranks, "rank").s, extents_to_text(grid).s);
    for (const version_fact *fact = version_build_facts(); fact->key; fact++)
        if (is_of_compilers(fact))
            text_add(&line, "; %s: %s", fact->title, fact->value);
    log_line(LOG_DETAIL, "%s", text_string(&line));
    text_free(&line);
}

/* Absolute paths, which do not depend on the working directory, and what became of the process before. */
static void log_opening(const ensemble *e)
{
    const run_params *p = e->params;
    text input = path_absolute(p->file, NULL);
    log_line(LOG_INFO, "input %s, ensemble %s", text_string(&input), p->output.directory);
    log_program(lattice_shape_of(e->lattice), e->u->links.where);
    if (e->lost.length > 0)
        log_line(LOG_INFO, "%s worked here before, and did not end normally", text_string(&e->lost));
    if (*p->hmc.tuning)
        log_line(LOG_INFO, "levels tuned by %s", p->hmc.tuning);
    text_free(&input);
}

bool ensemble_open_log(const ensemble *e, failure *f)
{
    text path = path_in_folder(e->params->output.directory, "run.log");
    const bool ok = comm_agree(comm_world(), log_open_file(text_string(&path), f), f);
    text_free(&path);
    if (ok)
        log_opening(e);
    return ok;
}
