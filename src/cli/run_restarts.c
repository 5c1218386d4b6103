/* run_restarts.c - a parent that waits for the process of a run.
 *
 * The parent blocks all signals that it waits for, and takes one after the other: none is lost between two children. */
#include "src/cli/run_restarts.h"

#include "src/base/error.h"
#include "src/base/log.h"
#include "src/base/text.h"
#include "src/cli/stop_signals.h"

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

/* "SIGKILL", "signal 33". */
static signal_text name_of(int number)
{
    static const struct { int number; const char *name; } names[] = {
        { SIGKILL, "SIGKILL" }, { SIGSEGV, "SIGSEGV" }, { SIGBUS, "SIGBUS" }, { SIGABRT, "SIGABRT" },
        { SIGFPE, "SIGFPE" }, { SIGILL, "SIGILL" },
    };
    signal_text t;
    snprintf(t.s, sizeof t.s, "signal %d", number);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == number)
            snprintf(t.s, sizeof t.s, "%s", names[i].name);
    return t;
}

run_restarts *run_restarts_create(int limit, int groups)
{
    run_restarts *r = mmap(NULL, sizeof *r, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    require(r != MAP_FAILED, "no memory for a run and its parent: %s", strerror(errno));
    *r = (run_restarts){ .limit = limit, .from = { -1, -1 }, .until = -1, .whose = "this run" };
    if (groups > 1)
        snprintf(r->whose, sizeof r->whose, "all %d groups of ranks", groups);
    return r;
}

/* The child, which has the signal mask of the caller: 0.  A child without its parent would hold the ensemble for
 * ever, as far as the caller can see. */
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

static bool is_after(restart_point a, restart_point b)
{
    return a.trajectory > b.trajectory || (a.trajectory == b.trajectory && a.step > b.step);
}

/* A child was killed: whether another one may begin.  `began`: where the child before it began. */
static bool may_restart(run_restarts *r, restart_point *began, bool stopped, int killer)
{
    r->number++;
    r->in_a_row = is_after(r->from, *began) ? 1 : r->in_a_row + 1;
    r->signal = killer;
    r->opened = r->from.trajectory >= 0;
    *began = r->from;
    if (isatty(STDERR_FILENO))
        fputc('\n', stderr);                           /* below the progress line */
    if (stopped)
        log_line(LOG_ERROR, "%s killed the process of %s, which had been told to stop; the same command continues the "
                 "run", name_of(killer).s, r->whose);
    else if (r->in_a_row > r->limit)
        log_line(LOG_ERROR, "%s killed the process of %s: it is not started again, after %d restarts in a row without "
                 "a new state.  Remove the cause, then the same command continues the run", name_of(killer).s, r->whose,
                 r->limit);
    else
        fprintf(stderr, "%s: killed the process of %s; the run starts again\n", name_of(killer).s, r->whose);
    return !stopped && r->in_a_row <= r->limit;
}

bool run_restarts_watch(run_restarts *r, int *status)
{
    sigset_t awaited, before;
    bool stopped = false;
    restart_point began = r->from;
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
    } while (WIFSIGNALED(ended) && may_restart(r, &began, stopped, WTERMSIG(ended)));
    *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : EXIT_FAILED;
    return true;
}

void run_restarts_log(const run_restarts *r, restart_point from, int64_t complete)
{
    const int64_t first = from.trajectory + 1, last = first + complete;
    text repeats = { 0 };
    if (r->number == 0)
        return;
    if (from.step >= 0)
        text_add(&repeats, "step %" PRId64 " of trajectory %" PRId64 ", the run repeats what followed", from.step,
                 first);
    else if (complete > 0)
        text_add(&repeats, "the state of trajectory %" PRId64 ", the run repeats trajectories %" PRId64 " to %" PRId64,
                 from.trajectory, first, last);
    else
        text_add(&repeats, "the state of trajectory %" PRId64 ", the run repeats trajectory %" PRId64, from.trajectory,
                 first);
    log_line(LOG_WARNING, "%s killed the process of %s within trajectory %" PRId64 ": started again from %s (restart "
             "%d; at most %d in a row without a new state)", name_of(r->signal).s, r->whose, last,
             text_string(&repeats), r->number, r->limit);
    text_free(&repeats);
}
