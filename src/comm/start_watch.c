/* start_watch.c - a thread that waits for the end of the start of MPI.
 *
 * It ends the process with _exit: nothing can be cleaned up while the main thread is inside MPI, and a launcher ends
 * the other processes when one of them fails. */
#include "src/comm/start_watch.h"

#include "src/base/clock.h"
#include "src/base/error.h"
#include "src/base/memory.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define POLL_SECONDS 0.1
#define LONGEST_STEP 0.5      /* most seconds that one poll adds: this process may have been stopped itself */

struct start_watch {
    double limit;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool ending;
};

static struct timespec next_poll(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += (long)(POLL_SECONDS * 1e9);
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

static void *wait_for_end(void *of)
{
    start_watch *w = of;
    double waited = 0, last = clock_now();
    pthread_mutex_lock(&w->lock);
    while (!w->ending && waited < w->limit) {
        const struct timespec next = next_poll();
        pthread_cond_timedwait(&w->ended, &w->lock, &next);
        const double now = clock_now();
        waited += fmin(now - last, LONGEST_STEP);
        last = now;
    }
    const bool late = !w->ending;
    pthread_mutex_unlock(&w->lock);
    if (late) {
        fprintf(stderr, "kiln: MPI has not connected the processes of this run in %g s: one of them is stopped, or did "
                        "not start.  To allow more time, increase KILN_RANK_LIMIT, which is a tenth of this time\n",
                w->limit);
        _exit(EXIT_FAILED);
    }
    return NULL;
}

start_watch *start_watch_begin(double limit)
{
    start_watch *w = memory_alloc(sizeof *w, "watch over the start of MPI");
    *w = (start_watch){ .limit = limit };
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->ended, NULL);
    /* Signals are for the main thread. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    require(pthread_create(&w->thread, NULL, wait_for_end, w) == 0, "cannot start a thread: too many for this machine");
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return w;
}

void start_watch_end(start_watch *w)
{
    pthread_mutex_lock(&w->lock);
    w->ending = true;
    pthread_cond_signal(&w->ended);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->ended);
    pthread_mutex_destroy(&w->lock);
    memory_free(w);
}
