/* scheduler.c - SLURM, PBS, LSF and Flux: how each is asked for nodes, and how a job submits the next one.
 *
 * Sources: sbatch(1); qsub(1) of OpenPBS and PBS Professional; bsub(1) of LSF 10.1; flux-batch(1) and flux-run(1). */
#include "src/cli/submit/scheduler.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };

static void add_given(text *t, const char *prefix, const char *option_words, const char *value)
{
    if (value && *value)
        text_add(t, "%s%s%s\n", prefix, option_words, value);
}

static void add_others(text *t, const char *prefix, const job_request *r)
{
    for (int i = 0; i < r->requests.count; i++)
        text_add(t, "%s%s\n", prefix, r->requests.item[i]);
}

static long whole_seconds(double seconds)
{
    return lround(ceil(seconds));
}

static long whole_minutes(double seconds)
{
    return (whole_seconds(seconds) + MINUTE - 1) / MINUTE;
}

/* ---- SLURM */

static void slurm_requests(text *t, const char *prefix, const job_request *r)
{
    const job_layout l = job_layout_of(r);
    const long s = whole_seconds(r->seconds);
    add_given(t, prefix, "--job-name=", r->name);
    text_add(t, "%s--time=%ld-%02ld:%02ld:%02ld\n", prefix, s / DAY, s / HOUR % 24, s / MINUTE % 60, s % 60);
    if (l.nodes > 0)
        text_add(t, "%s--nodes=%" PRId64 "\n", prefix, l.nodes);
    text_add(t, "%s--ntasks=%" PRId64 "\n", prefix, r->ranks.count);
    if (r->ranks.count > 1 && r->gpus > 0)
        text_add(t, "%s--ntasks-per-node=%" PRId64 "\n%s--gpus-per-node=%" PRId64 "\n", prefix, l.ranks_per_node,
                 prefix, l.gpus_per_node);
    if (r->cpus > 0)
        text_add(t, "%s--cpus-per-task=%" PRId64 "\n", prefix, r->cpus);
    if (r->ranks.count == 1 && r->gpus > 0)
        text_add(t, "%s--gpus=%" PRId64 "\n", prefix, r->gpus);
    add_given(t, prefix, "--mem=", r->memory);
    add_given(t, prefix, "--partition=", r->partition);
    add_given(t, prefix, "--account=", r->account);
    text_add(t, "%s--output=%%x.%%j.out\n", prefix);
    add_others(t, prefix, r);
    text_add(t, "%s--signal=B:USR1@%" PRId64 "\n", prefix, r->signal_seconds);
}

static void slurm_launcher(text *t, const job_request *r)
{
    text_add(t, "srun --ntasks=%" PRId64 " --kill-on-bad-exit=1 ", r->ranks.count);
    if (r->cpus > 0)
        text_add(t, "--cpus-per-task=%" PRId64 " ", r->cpus);
}

/* ---- PBS: a chunk of `select` is a node, or a rank if PBS chooses the nodes. */

static void pbs_requests(text *t, const char *prefix, const job_request *r)
{
    const job_layout l = job_layout_of(r);
    const long s = whole_seconds(r->seconds);
    const int64_t chunks = l.nodes > 0 ? l.nodes : r->ranks.count, ranks = l.nodes > 0 ? l.ranks_per_node : 1;
    add_given(t, prefix, "-N ", r->name);
    text_add(t, "%s-l walltime=%02ld:%02ld:%02ld\n", prefix, s / HOUR, s / MINUTE % 60, s % 60);
    text_add(t, "%s-l select=%" PRId64 ":ncpus=%" PRId64 ":mpiprocs=%" PRId64, prefix, chunks,
             ranks * (r->cpus > 0 ? r->cpus : 1), ranks);
    if (r->gpus > 0)
        text_add(t, ":ngpus=%" PRId64, l.gpus_per_node);
    if (r->memory)
        text_add(t, ":mem=%s", r->memory);
    text_add(t, "\n");
    if (l.nodes > 1)
        text_add(t, "%s-l place=scatter\n", prefix);
    add_given(t, prefix, "-q ", r->partition);
    add_given(t, prefix, "-A ", r->account);
    text_add(t, "%s-j oe\n", prefix);
    add_others(t, prefix, r);
}

/* Each rank uses several cores: mpirun must not bind it to one. */
static void mpirun_launcher(text *t, const job_request *r)
{
    text_add(t, "mpirun --bind-to none -n %" PRId64 " ", r->ranks.count);
}

/* ---- LSF: a slot is a rank. */

static void lsf_requests(text *t, const char *prefix, const job_request *r)
{
    const job_layout l = job_layout_of(r);
    const long minutes = whole_minutes(r->seconds);
    add_given(t, prefix, "-J ", r->name);
    text_add(t, "%s-W %ld:%02ld\n", prefix, minutes / 60, minutes % 60);
    text_add(t, "%s-n %" PRId64 "\n", prefix, r->ranks.count);
    if (l.nodes > 0)
        text_add(t, "%s-R \"span[ptile=%" PRId64 "]\"\n", prefix, l.ranks_per_node);
    if (r->cpus > 0)
        text_add(t, "%s-R \"affinity[core(%" PRId64 ")]\"\n", prefix, r->cpus);
    if (r->gpus > 0)
        text_add(t, "%s-gpu \"num=%" PRId64 ":j_exclusive=yes\"\n", prefix, l.gpus_per_node);
    if (r->memory)
        text_add(t, "%s-R \"rusage[mem=%s]\"\n", prefix, r->memory);
    add_given(t, prefix, "-q ", r->partition);
    add_given(t, prefix, "-P ", r->account);
    text_add(t, "%s-o %s.%%J.out\n", prefix, r->name);
    add_others(t, prefix, r);
    text_add(t, "%s-wa USR1\n%s-wt %ld\n", prefix, prefix, whole_minutes((double)r->signal_seconds));
}

/* ---- Flux: a slot is a rank.  It reads quotes in its requests as the shell does. */

static void add_flux_word(text *t, const char *prefix, const char *option_words, const char *value)
{
    if (!value || !*value)
        return;
    text_add(t, "%s%s", prefix, option_words);
    text_add_shell_word(t, value);
    text_add(t, "\n");
}

static void flux_requests(text *t, const char *prefix, const job_request *r)
{
    const job_layout l = job_layout_of(r);
    text output = { 0 };
    add_flux_word(t, prefix, "--job-name=", r->name);
    text_add(t, "%s--time-limit=%lds\n", prefix, whole_seconds(r->seconds));
    if (l.nodes > 0)
        text_add(t, "%s--nodes=%" PRId64 "\n", prefix, l.nodes);
    text_add(t, "%s--nslots=%" PRId64 "\n", prefix, r->ranks.count);
    if (r->cpus > 0)
        text_add(t, "%s--cores-per-slot=%" PRId64 "\n", prefix, r->cpus);
    if (r->gpus > 0)
        text_add(t, "%s--gpus-per-slot=%" PRId64 "\n", prefix, r->ranks.count > 1 ? 1 : r->gpus);
    add_flux_word(t, prefix, "--queue=", r->partition);
    add_flux_word(t, prefix, "--bank=", r->account);
    text_add(&output, "%s.{{id}}.out", r->name);
    add_flux_word(t, prefix, "--output=", text_string(&output));
    text_free(&output);
    add_others(t, prefix, r);
    text_add(t, "%s--signal=USR1@%" PRId64 "s\n", prefix, r->signal_seconds);
}

static void flux_launcher(text *t, const job_request *r)
{
    text_add(t, "flux run --ntasks=%" PRId64 " ", r->ranks.count);
    if (r->cpus > 0)
        text_add(t, "--cores-per-task=%" PRId64 " ", r->cpus);
    if (r->gpus > 0)
        text_add(t, "--gpus-per-task=1 ");
}

/* ---- the table */

/* srun and mpirun pass SIGUSR1 on; at SIGTERM they kill the ranks. */
#define TO_LAUNCHER "kill -s USR1 $run"

const char *const scheduler_names[] = { "slurm", "pbs", "lsf", "flux", NULL };

static const scheduler table[] = {
    { .title = "SLURM", .command = "sbatch", .prefix = "#SBATCH ", .requests = slurm_requests,
      .launcher = slurm_launcher, .first = "sbatch ", .next = "sbatch \"$script\"",
      .end_variable = "SLURM_JOB_END_TIME", .signal_ranks = TO_LAUNCHER, .requests_memory = true },
    { .title = "PBS", .command = "qsub", .prefix = "#PBS ", .requests = pbs_requests, .launcher = mpirun_launcher,
      .first = "qsub ", .next = "qsub \"$script\"", .needs_file = true, .signal_ranks = TO_LAUNCHER,
      .requests_memory = true },
    { .title = "LSF", .command = "bsub", .prefix = "#BSUB ", .requests = lsf_requests, .launcher = mpirun_launcher,
      .first = "bsub <", .next = "bsub <\"$script\"", .needs_file = true, .signal_ranks = TO_LAUNCHER,
      .requests_memory = true },
    { .title = "Flux", .command = "flux", .prefix = "#flux: ", .requests = flux_requests, .launcher = flux_launcher,
      .first = "flux batch ", .next = "flux --parent batch \"$script\"",
      .signal_ranks = "flux job kill --signal=SIGUSR1 \"$(flux job last)\"" },
};
enum { SCHEDULERS = sizeof table / sizeof *table };

const scheduler *scheduler_row(int index)
{
    return &table[index];
}

static bool is_on_path(const char *command)
{
    const char *folder = getenv("PATH");
    bool found = false;
    while (folder && *folder && !found) {
        const size_t length = strcspn(folder, ":");
        text file = { 0 };
        text_add(&file, "%.*s/%s", (int)length, folder, command);
        found = access(text_string(&file), X_OK) == 0;
        text_free(&file);
        folder += length + (folder[length] == ':');
    }
    return found;
}

int scheduler_of_machine(void)
{
    for (int i = 0; i < SCHEDULERS; i++)
        if (is_on_path(table[i].command))
            return i;
    return 0;
}
