/* cmd_submit.c - kiln submit: a job script that generates an ensemble, job after job, for one of several schedulers. */
#include "gpu/device.h"
#include "src/base/log.h"
#include "src/base/open_file.h"
#include "src/base/text.h"
#include "src/cli/subcommands.h"
#include "src/cli/submit/job_script.h"
#include "src/io/safe_file.h"
#include "src/options/run_options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { GPUS_PER_NODE = 8 };                                       /* unless --gpus-per-node says otherwise */
enum { SCHEDULER_OF_MACHINE = -1 };

#define TEXT_OPTION(key, unit, member, about)                                                                          \
    { .name = key, .value = unit, .doc = about, .type = OPTION_TEXT, .offset = offsetof(job_request, member) }
#define TEXTS_OPTION(key, unit, member, about)                                                                         \
    { .name = key, .value = unit, .doc = about, .type = OPTION_TEXTS, .offset = offsetof(job_request, member) }
#define INT_OPTION(key, unit, member, least, most, about)                                                              \
    { .name = key, .value = unit, .doc = about, .type = OPTION_INT, .offset = offsetof(job_request, member),           \
      .min = least, .max = most }

static const usage submit_usage = {
    .name = "submit",
    .operands = "INPUT.yaml",
    .least = 1,
    .most = 1,
    .about = "Writes a job script that runs INPUT.yaml in the current folder, in as many jobs as needed.  Each job\n"
             "stops in time, within a trajectory if necessary, and submits the next job while the ensemble is not\n"
             "complete.  After a failure, a cancelled job, or a job too short for any progress, no job follows.\n"
             "    kiln submit INPUT.yaml --time 12:00:00 --output ensemble.sh && sbatch ensemble.sh\n"
             "The schedulers are SLURM, PBS (OpenPBS, PBS Professional), LSF and Flux.  Kiln prints the command that\n"
             "submits the first job.",
    .options = (const option[]){
        { .name = "scheduler", .value = "S",
          .doc = "the scheduler (default: the first whose submission command is on\nPATH, else slurm)",
          .type = OPTION_CHOICE, .offset = offsetof(job_request, scheduler), .choices = scheduler_names },
        { .name = "time", .value = "T",
          .doc = "time limit of each job: 11:55:00, 1-12:00:00, 90m, 12h (default: 12:00:00)", .type = OPTION_READ,
          .offset = offsetof(job_request, seconds), .read = run_options_read_walltime },
        TEXT_OPTION("partition", "P", partition, "partition of SLURM, queue of the others"),
        TEXT_OPTION("account", "A", account, "account; project of LSF, bank of Flux"),
        INT_OPTION("ranks", "N", ranks.count, 1, RANKS_MAX,
                   "run on N ranks, which --launcher starts (default: 1)"),
        GRID_OPTION(job_request, ranks),
        INT_OPTION("gpus-per-node", "N", gpus_per_node, 1, 64,
                   "GPUs of a node: ranks on more GPUs get several nodes\n(default: 8)"),
        INT_OPTION("gpus", "N", gpus, 0, 64, "GPUs of a job with one rank, of which it uses one; 0: run on the\n"
                   "CPU (default: a GPU for each rank)"),
        INT_OPTION("cpus", "N", cpus, 1, 4096, "cores of a rank, and its threads"),
        TEXT_OPTION("memory", "M", memory,
                    "memory in the notation of the scheduler, such as 64G: of each node;\n"
                    "with LSF, and with PBS for ranks without GPUs, of each rank; not\nwith Flux"),
        TEXT_OPTION("name", "NAME", name, "name of the jobs (default: output.name of the input)"),
        TEXTS_OPTION("request", "OPTION", requests,
                     "another option of the command for submission, such as\n"
                     "\"--qos=long\"; may be given several times"),
        TEXT_OPTION("launcher", "COMMAND", launcher,
                    "what starts the ranks, such as \"mpiexec -n 16 --ppn 8\" (default:\n"
                    "srun with SLURM, flux run with Flux, mpirun with the others)"),
        TEXTS_OPTION("setup", "COMMAND", setup,
                     "a shell command before the run, such as \"module load\ncuda\"; may be given several times"),
        INT_OPTION("signal-seconds", "S", signal_seconds, 1, 3600,
                   "the scheduler sends SIGUSR1 to a run that is still active S\n"
                   "seconds before the end (default: 120; not with PBS)"),
        { .name = "checkpoint-minutes", .value = "M", .doc = "as in kiln run", .type = OPTION_REAL,
          .offset = offsetof(job_request, checkpoint_minutes), .max = 1e6 },
        SET_OPTION(job_request, sets),
        { .name = "output", .value = "FILE",
          .doc = "write the script to FILE, replacing an older script (default: stdout)",
          .type = OPTION_TEXT, .path = PATH_WRITE, .offset = offsetof(job_request, output) },
        { 0 } },
};

static bool write_script(const char *path, const char *script, failure *f)
{
    if (!path) {
        fputs(script, stdout);
        return true;
    }
    return safe_file_renew_text(path, script, JOB_SCRIPT_MARK, f)
           && (is_output_stream(path) || chmod(path, 0755) == 0
               || fail_system(f, errno, "%s: cannot be made executable: %s", path, strerror(errno)));
}

/* An option that goes into a line of the script unquoted must not contain a line break. */
static bool is_one_line(const char *what, const char *words)
{
    if (!words || !strchr(words, '\n'))
        return true;
    usage_error(&submit_usage, "--%s must not contain a line break", what);
    return false;
}

static bool texts_are_lines(const job_request *o)
{
    bool ok = is_one_line("partition", o->partition) && is_one_line("account", o->account)
              && is_one_line("memory", o->memory) && is_one_line("name", o->name)
              && is_one_line("launcher", o->launcher);
    for (int i = 0; ok && i < o->requests.count; i++)
        ok = is_one_line("request", o->requests.item[i]);
    return ok;
}

/* EXIT_USAGE for options that contradict each other, else GO_ON with ranks, GPUs and scheduler. */
static int complete_options(job_request *o)
{
    const int status = rank_options_count(&submit_usage, &o->ranks);
    if (status != GO_ON)
        return status;
    if (o->ranks.count > 1 && o->gpus > 0 && o->gpus != o->ranks.count)
        return usage_error(&submit_usage, "each of %" PRId64 " ranks has a GPU of its own: leave out --gpus",
                           o->ranks.count);
    if (o->gpus > o->ranks.count)
        log_line(LOG_WARNING, "the job asks for %" PRId64 " GPUs, but its one rank uses one; for more ranks use "
                              "--ranks", o->gpus);
    if (o->gpus > 0 && !device_is_built())
        log_line(LOG_WARNING, "this program was built without CUDA: it will refuse to run on the GPUs that the job "
                              "asks for; leave out --gpus, or submit with a program that was built with CUDA");
    if (o->gpus < 0)
        o->gpus = device_is_built() ? o->ranks.count : 0;
    if (o->gpus_per_node > 0 && (o->ranks.count == 1 || o->gpus == 0))
        return usage_error(&submit_usage, "--gpus-per-node is for several ranks on GPUs");
    if (o->gpus_per_node == 0)
        o->gpus_per_node = GPUS_PER_NODE;
    if (o->scheduler == SCHEDULER_OF_MACHINE)
        o->scheduler = scheduler_of_machine();
    const scheduler *s = scheduler_row(o->scheduler);
    if (o->memory && !s->requests_memory)
        return usage_error(&submit_usage, "--memory: %s has no request for memory", s->title);
    if (s->needs_file && !o->output)
        return usage_error(&submit_usage, "--output FILE is missing: a job of %s submits FILE again", s->title);
    return GO_ON;
}

/* Write the script, and say how to submit it. */
static bool submit(job_request *o, const char *input, const char *ensemble_name, failure *f)
{
    const scheduler *s = scheduler_row(o->scheduler);
    char program[4096] = "", here[4096];
    if (!getcwd(here, sizeof here) || readlink("/proc/self/exe", program, sizeof program - 1) <= 0)
        return fail_system(f, errno, "no path of the working directory or of this program: %s", strerror(errno));
    text script = { 0 }, path = { 0 };
    if (o->output)
        path = path_absolute(o->output, NULL);
    const job_paths paths = { here, program, input, o->output ? text_string(&path) : NULL };
    o->name = o->name ? o->name : ensemble_name;
    job_script_add(&script, s, o, &paths);
    const bool ok = write_script(o->output, text_string(&script), f);
    if (ok && o->output)
        log_line(LOG_INFO, "submit the first job with: %s%s", s->first, o->output);
    text_free(&path);
    text_free(&script);
    return ok;
}

int cmd_submit(int argc, char **argv)
{
    job_request o = { .scheduler = SCHEDULER_OF_MACHINE, .seconds = 43200, .gpus = -1, .signal_seconds = 120,
                      .checkpoint_minutes = -1 };
    operands files;
    run_input in;
    failure why;
    int status = options_read(&submit_usage, argc, argv, &o, &files);
    if (status != GO_ON)
        return status;
    status = complete_options(&o);
    if (status != GO_ON)
        return status;
    rank_options_pretend(&o.ranks);
    if (!texts_are_lines(&o) || !run_options_read_input(&in, files.item[0], &o.sets))
        return EXIT_USAGE;
    const bool ok = submit(&o, files.item[0], in.p.output.name, &why);
    if (!ok)
        log_line(LOG_ERROR, "%s", why.why);
    run_input_free(&in);
    return ok ? EXIT_OK : EXIT_FAILED;
}
