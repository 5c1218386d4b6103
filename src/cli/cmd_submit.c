/* cmd_submit.c - kiln submit: a SLURM script that generates an ensemble, job after job.
 *
 * A job runs `kiln run` until its time is nearly over.  It submits itself again if the time limit stopped the run and
 * the run has left more on disk than it found.  After any other end (the ensemble is complete, the run failed, somebody
 * cancelled the job) no further job follows.
 *
 * Several ranks are started by srun, each with a GPU of its own, on as few nodes as have so many GPUs. */
#include "src/base/log.h"
#include "src/base/text.h"
#include "src/cli/rank_options.h"
#include "src/cli/run_options.h"
#include "src/cli/subcommands.h"
#include "src/io/safe_file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCRIPT_MARK "# Written by kiln submit."                   /* marks an older script, which may be replaced */

enum { GPUS_PER_NODE = 8 };                                       /* unless --gpus-per-node says otherwise */

typedef struct {
    double seconds;
    const char *partition, *account, *memory, *name, *output;
    int64_t gpus, cpus, signal_seconds;                           /* gpus < 0: one of each rank */
    int64_t gpus_per_node;
    rank_options ranks;
    double checkpoint_minutes;
    text_refs sets, requests, setup;
} submit_options;

#define TEXT_OPTION(key, value, member, doc) \
    { key, value, doc, OPTION_TEXT, offsetof(submit_options, member), false, 0, 0, NULL, NULL }
#define TEXTS_OPTION(key, value, member, doc) \
    { key, value, doc, OPTION_TEXTS, offsetof(submit_options, member), false, 0, 0, NULL, NULL }
#define INT_OPTION(key, value, member, least, most, doc) \
    { key, value, doc, OPTION_INT, offsetof(submit_options, member), false, least, most, NULL, NULL }

static const usage submit_usage = {
    .name = "submit",
    .operands = "INPUT.yaml",
    .least = 1,
    .most = 1,
    .about = "Writes a SLURM script that runs INPUT.yaml in the current folder, in as many jobs as needed.  Each job\n"
             "stops in time, within a trajectory if necessary, and submits the next job while the ensemble is not\n"
             "complete.  After a failure, a cancelled job, or a job too short for any progress, no job follows.\n"
             "    kiln submit INPUT.yaml --time 12:00:00 --output ensemble.sh && sbatch ensemble.sh",
    .options = (const option[]){
        { "time", "T", "time limit of each job: 11:55:00, 1-12:00:00, 90m, 12h (default: 12:00:00)", OPTION_READ,
          offsetof(submit_options, seconds), false, 0, 0, NULL, run_options_read_walltime },
        TEXT_OPTION("partition", "P", partition, "SLURM partition"),
        TEXT_OPTION("account", "A", account, "SLURM account"),
        INT_OPTION("ranks", "N", ranks.count, 1, RANKS_MAX,
                   "run on N ranks, which srun starts (default: 1, without srun)"),
        GRID_OPTION(submit_options, ranks),
        INT_OPTION("gpus-per-node", "N", gpus_per_node, 1, 64,
                   "GPUs of a node: ranks on more GPUs get several nodes\n(default: 8)"),
        INT_OPTION("gpus", "N", gpus, 0, 64, "GPUs of a job with one rank, of which it uses one; 0: run on the\n"
                   "CPU (default: a GPU for each rank)"),
        INT_OPTION("cpus", "N", cpus, 1, 4096, "cores of a rank, and its threads"),
        TEXT_OPTION("memory", "M", memory, "memory of each node in the notation of SLURM: 64G"),
        TEXT_OPTION("name", "NAME", name, "name of the jobs (default: output.name of the input)"),
        TEXTS_OPTION("request", "OPTION", requests,
                     "another option of sbatch, such as \"--qos=long\"; may be given\nseveral times"),
        TEXTS_OPTION("setup", "COMMAND", setup,
                     "a shell command before the run, such as \"module load\ncuda\"; may be given several times"),
        INT_OPTION("signal-seconds", "S", signal_seconds, 1, 3600,
                   "SLURM sends SIGUSR1 to a run that is still active S\nseconds before the end (default: 120)"),
        { "checkpoint-minutes", "M", "as in kiln run", OPTION_REAL, offsetof(submit_options, checkpoint_minutes), false,
          0, 1e6, NULL, NULL },
        SET_OPTION(submit_options, sets),
        TEXT_OPTION("output", "FILE", output, "write the script to FILE, replacing an older script (default: stdout)"),
        { 0 } },
};

/* `word` quoted for the shell. */
static void add_word(text *t, const char *word)
{
    text_add(t, "'");
    for (const char *c = word; *c; c++)
        text_add(t, *c == '\'' ? "'\\''" : "%c", *c);
    text_add(t, "'");
}

static void add_request(text *t, const char *key, const char *value)
{
    if (value && *value)
        text_add(t, "#SBATCH --%s=%s\n", key, value);
}

/* A time as sbatch reads it: days-hours:minutes:seconds. */
static void add_time(text *t, double seconds)
{
    long s = lround(ceil(seconds));
    text_add(t, "%ld-%02ld:%02ld:%02ld", s / 86400, s / 3600 % 24, s / 60 % 60, s % 60);
}

/* As few nodes as possible, with equally many ranks or one less.  Without GPUs SLURM chooses the nodes. */
static void add_nodes(text *t, const submit_options *o)
{
    const int64_t ranks = o->ranks.count, nodes = (ranks + o->gpus_per_node - 1) / o->gpus_per_node;
    const int64_t here = (ranks + nodes - 1) / nodes;
    if (o->gpus > 0)
        text_add(t, "#SBATCH --nodes=%" PRId64 "\n", nodes);
    text_add(t, "#SBATCH --ntasks=%" PRId64 "\n", ranks);
    if (o->gpus > 0)
        text_add(t, "#SBATCH --ntasks-per-node=%" PRId64 "\n#SBATCH --gpus-per-node=%" PRId64 "\n", here, here);
}

static void add_requests(text *t, const submit_options *o, const char *name)
{
    add_request(t, "job-name", name);
    text_add(t, "#SBATCH --time=");
    add_time(t, o->seconds);
    text_add(t, "\n");
    if (o->ranks.count > 1)
        add_nodes(t, o);
    else
        text_add(t, "#SBATCH --nodes=1\n#SBATCH --ntasks=1\n");
    if (o->cpus > 0)
        text_add(t, "#SBATCH --cpus-per-task=%lld\n", (long long)o->cpus);
    if (o->ranks.count == 1 && o->gpus > 0)
        text_add(t, "#SBATCH --gpus=%lld\n", (long long)o->gpus);
    add_request(t, "mem", o->memory);
    add_request(t, "partition", o->partition);
    add_request(t, "account", o->account);
    add_request(t, "output", "%x.%j.out");
    for (int i = 0; i < o->requests.count; i++)
        text_add(t, "#SBATCH %s\n", o->requests.item[i]);
    text_add(t, "#SBATCH --signal=B:USR1@%lld\n", (long long)o->signal_seconds);
}

static void add_run(text *t, const submit_options *o, const char *program, const char *input)
{
    if (o->ranks.count > 1)
        text_add(t, "srun --ntasks=%" PRId64 " --kill-on-bad-exit=1 ", o->ranks.count);
    if (o->ranks.count > 1 && o->cpus > 0)
        text_add(t, "--cpus-per-task=%" PRId64 " ", o->cpus);
    add_word(t, program);
    text_add(t, " run ");
    add_word(t, input);
    text_add(t, " --quiet --json --device %s", o->gpus > 0 ? "cuda" : "cpu");
    if (o->cpus > 0)
        text_add(t, " --threads %lld", (long long)o->cpus);
    if (o->checkpoint_minutes >= 0)
        text_add(t, " --checkpoint-minutes %.17g", o->checkpoint_minutes);
    if (o->ranks.grid[0] > 0)
        text_add(t, " --grid %d,%d,%d,%d", o->ranks.grid[0], o->ranks.grid[1], o->ranks.grid[2], o->ranks.grid[3]);
    for (int i = 0; i < o->sets.count; i++) {
        text_add(t, " \\\n    --set ");
        add_word(t, o->sets.item[i]);
    }
    text_add(t, " \\\n    $time >\"$ended\" &\n");
}

/* The shell waits for the run and forwards the signals that the batch system sends to the script.  srun forwards
 * SIGUSR1 to all ranks, but after SIGTERM it kills them: the script sends SIGUSR1 then, too.  The JSON of the run says
 * how the run ended; it is empty after a crash. */
static void add_script(text *t, const submit_options *o, const char *const paths[3], const char *name)
{
    text_add(t, "#!/bin/sh\n" SCRIPT_MARK "  While the ensemble is not complete, a job submits the next one.\n");
    add_requests(t, o, name);
    text_add(t, "\ncd ");
    add_word(t, paths[0]);
    text_add(t, " || exit 1\n");
    for (int i = 0; i < o->setup.count; i++)
        text_add(t, "%s\n", o->setup.item[i]);
    text_add(t, "ended=$(mktemp) || exit 1\ntrap 'rm -f \"$ended\"' EXIT\n"
                "time=                      # kiln run reads the end of the job from SLURM_JOB_END_TIME\n"
                "[ -n \"$SLURM_JOB_END_TIME\" ] || time=\"--walltime ");
    add_time(t, o->seconds);
    text_add(t, "\"\n");
    add_run(t, o, paths[1], paths[2]);
    text_add(t, "run=$!\n"
                "cancelled=no\n"
                "trap 'kill -s USR1 $run' USR1\n");
    text_add(t, "trap 'cancelled=yes; kill -s %s $run' TERM INT\n", o->ranks.count > 1 ? "USR1" : "TERM");
    text_add(t, "status=129\n"
                "# A signal interrupts `wait`, not the run.\n"
                "while [ $status -gt 128 ] && kill -0 $run 2>/dev/null; do\n"
                "    wait $run\n"
                "    status=$?\n"
                "done\n"
                "cat \"$ended\"\n\n"
                "ended_by() {\n"
                "    grep -q '\"end\": \"stopped\", \"by\": \"'\"$1\" \"$ended\"\n"
                "}\n"
                "if [ $status = 0 ]; then\n"
                "    echo 'The ensemble is complete.'\n"
                "elif [ $cancelled = yes ] || ! { ended_by walltime || ended_by SIGUSR1; }; then\n"
                "    echo 'The run failed or was cancelled; no job follows.'\n"
                "elif grep -q '\"advanced\": false' \"$ended\"; then\n"
                "    echo 'The job was too short for any progress; no job follows.'\n"
                "    status=1\n"
                "else\n"
                "    sbatch \"$0\" && exit 0\n"
                "    echo 'The next job cannot be submitted.'\n"
                "fi\n"
                "exit $status\n");
}

static bool write_script(const char *path, const char *script, failure *f)
{
    if (!path) {
        fputs(script, stdout);
        return true;
    }
    return safe_file_renew_text(path, script, SCRIPT_MARK, f)
           && (chmod(path, 0755) == 0 || fail(f, "%s: cannot be made executable: %s", path, strerror(errno)));
}

/* An option that goes into a line of the script unquoted must not contain a line break. */
static bool is_one_line(const char *what, const char *words)
{
    if (!words || !strchr(words, '\n'))
        return true;
    usage_error(&submit_usage, "--%s must not contain a line break", what);
    return false;
}

static bool texts_are_lines(const submit_options *o)
{
    bool ok = is_one_line("partition", o->partition) && is_one_line("account", o->account)
              && is_one_line("memory", o->memory) && is_one_line("name", o->name);
    for (int i = 0; ok && i < o->requests.count; i++)
        ok = is_one_line("request", o->requests.item[i]);
    return ok;
}

/* EXIT_USAGE for options that contradict each other, else GO_ON with ranks and GPUs. */
static int complete_options(submit_options *o)
{
    const int status = rank_options_count(&submit_usage, &o->ranks);
    if (status != GO_ON)
        return status;
    if (o->ranks.count > 1 && o->gpus > 0 && o->gpus != o->ranks.count)
        return usage_error(&submit_usage, "each of %" PRId64 " ranks has a GPU of its own: leave out --gpus",
                           o->ranks.count);
    if (o->gpus < 0)
        o->gpus = o->ranks.count;
    if (o->gpus_per_node > 0 && (o->ranks.count == 1 || o->gpus == 0))
        return usage_error(&submit_usage, "--gpus-per-node is for several ranks on GPUs");
    if (o->gpus_per_node == 0)
        o->gpus_per_node = GPUS_PER_NODE;
    return GO_ON;
}

int cmd_submit(int argc, char **argv)
{
    submit_options o = { .seconds = 43200, .gpus = -1, .signal_seconds = 120, .checkpoint_minutes = -1 };
    operands files;
    run_input in;
    failure why;
    char program[4096] = "", here[4096];
    int status = options_read(&submit_usage, argc, argv, &o, &files);
    if (status != GO_ON)
        return status;
    status = complete_options(&o);
    if (status != GO_ON)
        return status;
    rank_options_pretend(&o.ranks);
    if (!texts_are_lines(&o) || !run_options_read_input(&in, files.item[0], &o.sets))
        return EXIT_USAGE;
    text script = { 0 };
    bool ok = (getcwd(here, sizeof here) && readlink("/proc/self/exe", program, sizeof program - 1) > 0)
              || fail(&why, "no path of the working directory or of this program: %s", strerror(errno));
    if (ok) {
        const char *const paths[] = { here, program, files.item[0] };
        add_script(&script, &o, paths, o.name ? o.name : in.p.output.name);
        ok = write_script(o.output, text_string(&script), &why);
    }
    if (!ok)
        log_line(LOG_ERROR, "%s", why.why);
    else if (o.output)
        log_line(LOG_INFO, "submit the first job with: sbatch %s", o.output);
    text_free(&script);
    run_input_free(&in);
    return ok ? EXIT_OK : EXIT_FAILED;
}
