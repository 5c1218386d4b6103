/* run_restarts.c - a parent that waits for the process of a run.
 *
 * The parent blocks all signals that it waits for, and takes one after the other: none is lost between two children. */
#include "src/cli/run_restarts.h"

#include "src/base/error.h"
#include "src/base/log.h"
#include "src/base/text.h"
#include "src/cli/run_end.h"
#include "src/cli/stop_signals.h"
#include "src/report/restart_log.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct { char s[16]; } signal_text;

static const struct { int number; const char *name; bool is_fault; } killers[] = {
    { SIGKILL, "SIGKILL", false }, { SIGSEGV, "SIGSEGV", true }, { SIGBUS, "SIGBUS", true },
    { SIGABRT, "SIGABRT", true }, { SIGFPE, "SIGFPE", true }, { SIGILL, "SIGILL", true },
};
enum { KILLERS = sizeof killers / sizeof *killers };

/* "SIGKILL", "signal 33". */
static signal_text name_of(int number)
{
    signal_text t;
    snprintf(t.s, sizeof t.s, "signal %d", number);
    for (int i = 0; i < KILLERS; i++)
        if (killers[i].number == number)
            snprintf(t.s, sizeof t.s, "%s", killers[i].name);
    return t;
}

/* Whether the program itself gave the reason for this signal. */
static bool is_fault(int number)
{
    for (int i = 0; i < KILLERS; i++)
        if (killers[i].number == number)
            return killers[i].is_fault;
    return false;
}

run_restarts *run_restarts_create(int limit, int groups, bool as_json)
{
    run_restarts *r = mmap(NULL, sizeof *r, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    require(r != MAP_FAILED, "no memory for a run and its parent: %s", strerror(errno));
    *r = (run_restarts){ .limit = limit, .json = as_json, .until = -1, .first = { -1, -1 }, .newest = { -1, -1 },
                         .whose = "this run" };
    if (groups > 1)
        snprintf(r->whose, sizeof r->whose, "all %d groups of ranks", groups);
    return r;
}

/* Fork: 0 in the child, which gets the signal mask `mask`; in the parent, the process id of the child.  The child ends
 * with its parent: nobody could stop a child without a parent, and it would keep the lock of the ensemble. */
static pid_t begin_child(const sigset_t *mask)
{
    const pid_t parent = getpid();
    fflush(NULL);
    const pid_t child = fork();
    require(child >= 0, "cannot start the process of the run: %s", strerror(errno));
    if (child > 0)
        return child;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
        _exit(EXIT_FAILED);
    sigprocmask(SIG_SETMASK, mask, NULL);
    return 0;
}

/* Until the child has ended: its status of waitpid; `stopped` is set if a signal was forwarded to it. */
static int wait_for_child(pid_t child, const sigset_t *awaited, bool *stopped)
{
    int ended = 0;
    while (waitpid(child, &ended, WNOHANG) != child) {
        const int number = sigwaitinfo(awaited, NULL);
        if (number <= 0 || number == SIGCHLD)
            continue;
        *stopped = true;
        kill(child, number);
    }
    return ended;
}

static bool is_after(stream_point a, stream_point b)
{
    return a.trajectory > b.trajectory || (a.trajectory == b.trajectory && a.step > b.step);
}

/* Advice for a signal after which the run is not restarted. */
static const char *advice_on(int killer)
{
    if (is_fault(killer))
        return "This is a fault of Kiln or of the machine: run the same command with --restarts 0, which continues the "
               "run up to the fault, and report it";
    if (killer == SIGKILL)
        return "Often the reason is lack of memory: dmesg, or what the batch system reports of the job, says so, and "
               "kiln plan predicts the memory.  When the reason is removed, the same command continues the run";
    return "Look for what sent the signal.  The same command continues the run";
}

/* Log why the run ends, in its folder, too, as far as there is a log. */
static void log_end(const run_restarts *r, const char *why)
{
    text log = path_in_folder(r->directory, "run.log");
    failure unused;
    if (*r->directory && access(text_string(&log), W_OK) == 0)
        log_open_file(text_string(&log), &unused);
    log_line(LOG_ERROR, "%s", why);
    log_close_file();
    text_free(&log);
}

/* No child is started again. */
static void give_up(const run_restarts *r, bool stopped)
{
    const signal_text killer = name_of(r->signal);
    text why = { 0 };
    text_add(&why, "%s killed the process of %s", killer.s, r->whose);
    if (stopped)
        text_add(&why, ", which had been told to stop; the same command continues the run");
    else if (r->in_a_row > r->limit)
        text_add(&why, ": it is not started again, after %s without a new state.  %s",
                 count_to_text(r->limit, "restart").s, advice_on(r->signal));
    else
        text_add(&why, ": it is not started again, after %s of the program.  %s", count_to_text(r->faults, "fault").s,
                 advice_on(r->signal));
    log_end(r, text_string(&why));
    if (r->json)
        run_end_print(&(run_end){ *r->directory ? r->directory : NULL, "failed", killer.s, text_string(&why),
                                  r->newest.trajectory, r->until, r->advanced, r->number });
    text_free(&why);
}

/* A child was killed: whether another one may begin.  `best`: the newest state of all children before it. */
static bool may_restart(run_restarts *r, stream_point *best, bool stopped, int killer)
{
    const bool newer = is_after(r->newest, *best);
    r->in_a_row = newer && r->advanced ? 1 : r->in_a_row + 1;
    r->faults += is_fault(killer);
    r->signal = killer;
    if (newer)
        *best = r->newest;
    if (isatty(STDERR_FILENO))
        fputc('\n', stderr);                           /* below the progress line */
    if (stopped || r->in_a_row > r->limit || r->faults > r->limit) {
        give_up(r, stopped);
        return false;
    }
    fprintf(stderr, "The process of the run was killed by %s; starting it again\n", name_of(killer).s);
    r->number++;
    r->logged = false;
    return true;
}

bool run_restarts_watch(run_restarts *r, int *status)
{
    sigset_t awaited, before;
    bool stopped = false;
    stream_point best = r->newest;
    int ended = 0;
    if (r->limit == 0)
        return false;
    signal(SIGCHLD, SIG_DFL);
    stop_signals_caught(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigprocmask(SIG_BLOCK, &awaited, &before);
    do {
        const pid_t child = begin_child(&before);
        if (child == 0)
            return false;
        ended = wait_for_child(child, &awaited, &stopped);
    } while (WIFSIGNALED(ended) && may_restart(r, &best, stopped, WTERMSIG(ended)));
    *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : EXIT_FAILED;
    return true;
}

/* Log from where a restarted child continues.  Whether the child before it had begun the next trajectory is not
 * known. */
static void log_restart(const run_restarts *r, stream_point from)
{
    const int64_t first = from.trajectory + 1, last = from.trajectory + r->repeats;
    text where = { 0 };
    if (from.step >= 0)
        text_add(&where, "step %" PRId64 " of trajectory %" PRId64, from.step, first);
    else
        text_add(&where, "the state of trajectory %" PRId64, from.trajectory);
    if (last == first)
        text_add(&where, ", the run repeats trajectory %" PRId64, first);
    else if (last > first)
        text_add(&where, ", the run repeats trajectories %" PRId64 " to %" PRId64, first, last);
    log_line(LOG_WARNING, "%s" RESTART_LOG_KILLED "%s after trajectory %" PRId64 RESTART_LOG_AGAIN "%s (restart "
             "%d; at most %d in a row without a new state)", name_of(r->signal).s, r->whose, last,
             text_string(&where), r->number, r->limit);
    text_free(&where);
}

/* A state of the ensemble is on disk. */
static void note_state(void *of, stream_point newest)
{
    run_restarts *r = of;
    if (!r->logged && r->number > 0)
        log_restart(r, newest);
    r->logged = true;
    r->newest = newest;
    if (r->first.trajectory < 0)
        r->first = newest;
    r->advanced |= is_after(newest, r->first);
}

text run_restarts_step_words(const run_restarts *r)
{
    text words = { 0 };
    if (r->newest.trajectory >= 0 && r->newest.step >= 0)
        text_add(&words, ", at step %" PRId64 " of trajectory %" PRId64, r->newest.step, r->newest.trajectory + 1);
    return words;
}

void run_restarts_set_directory(run_restarts *r, const char *directory)
{
    snprintf(r->directory, sizeof r->directory, "%s", directory);
}

void run_restarts_set_open(run_restarts *r, ensemble *e, int64_t until)
{
    r->opened = true;
    r->until = until;
    r->repeats = ensemble_repeats(e);
    ensemble_emit_states(e, note_state, r);
}
