/* job_script.c - a job runs `kiln run` until its time is nearly over.  It submits the script again if the time limit
 * stopped the run and the run has left more on disk than it found.  After any other end (the ensemble is complete, the
 * run failed, somebody cancelled the job) no further job follows. */
#include "src/cli/submit/job_script.h"

#include <inttypes.h>
#include <math.h>

job_layout job_layout_of(const job_request *r)
{
    const int64_t ranks = r->ranks.count;
    if (ranks == 1)
        return (job_layout){ 1, 1, r->gpus };
    if (r->gpus == 0)
        return (job_layout){ .nodes = 0 };
    const int64_t nodes = (ranks + r->gpus_per_node - 1) / r->gpus_per_node, here = (ranks + nodes - 1) / nodes;
    return (job_layout){ nodes, here, here };
}

/* The folder, what prepares the run, and $time: what is left of the job for kiln run, or nothing. */
static void add_preparation(text *t, const scheduler *s, const job_request *r, const job_paths *paths)
{
    text_add(t, "\nbegun=$(date +%%s)\nscript=");
    if (s->needs_file)
        text_add_shell_word(t, paths->script);
    else
        text_add(t, "$0");
    text_add(t, "\ncd ");
    text_add_shell_word(t, paths->folder);
    text_add(t, " || exit 1\n");
    for (int i = 0; i < r->setup.count; i++)
        text_add(t, "%s\n", r->setup.item[i]);
    text_add(t, "ended=$(mktemp) || exit 1\ntrap 'rm -f \"$ended\"' EXIT\n");
    if (s->end_variable)
        text_add(t, "time=                      # kiln run reads the end of the job from %s\n"
                    "[ -n \"$%s\" ] || ", s->end_variable, s->end_variable);
    text_add(t, "time=$((%.0f + begun - $(date +%%s)))s\n", ceil(r->seconds));
}

static void add_run(text *t, const scheduler *s, const job_request *r, const job_paths *paths)
{
    if (r->launcher)
        text_add(t, "%s ", r->launcher);
    else if (r->ranks.count > 1)
        s->launcher(t, r);
    text_add_shell_word(t, paths->program);
    text_add(t, " run ");
    text_add_shell_word(t, paths->input);
    text_add(t, " --quiet --json --device %s", r->gpus > 0 ? "cuda" : "cpu");
    if (r->cpus > 0)
        text_add(t, " --threads %" PRId64, r->cpus);
    if (r->checkpoint_minutes >= 0)
        text_add(t, " --checkpoint-minutes %.17g", r->checkpoint_minutes);
    if (r->ranks.grid[0] > 0)
        text_add(t, " --grid %d,%d,%d,%d", r->ranks.grid[0], r->ranks.grid[1], r->ranks.grid[2], r->ranks.grid[3]);
    for (int i = 0; i < r->sets.count; i++) {
        text_add(t, " \\\n    --set ");
        text_add_shell_word(t, r->sets.item[i]);
    }
    text_add(t, " \\\n    ${time:+--walltime \"$time\"} >\"$ended\" &\nrun=$!\n");
}

/* The shell waits for the run and forwards the signals that the scheduler sends to the script.  Launchers kill the
 * ranks after SIGTERM: these get SIGUSR1 then, too.  The JSON of the run says how the run ended; it is empty after a
 * crash. */
static void add_end(text *t, const scheduler *s, const job_request *r)
{
    const bool launched = r->launcher || r->ranks.count > 1;
    text_add(t, "cancelled=no\n"
                "trap '%s' USR1\n", launched ? s->signal_ranks : "kill -s USR1 $run");
    text_add(t, "trap 'cancelled=yes; %s' TERM INT\n", launched ? s->signal_ranks : "kill -s TERM $run");
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
                "    %s && exit 0\n"
                "    echo 'The next job cannot be submitted.'\n"
                "fi\n"
                "exit $status\n", s->next);
}

void job_script_add(text *t, const scheduler *s, const job_request *r, const job_paths *paths)
{
    text_add(t, "#!/bin/sh\n" JOB_SCRIPT_MARK "  While the ensemble is not complete, a job submits the next one.\n");
    s->requests(t, s->prefix, r);
    add_preparation(t, s, r, paths);
    add_run(t, s, r, paths);
    add_end(t, s, r);
}
