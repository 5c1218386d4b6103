/* rank_watch.c - a thread that counts heartbeats, and the checks of a rank that waits. */
#include "src/comm/rank_watch.h"

#include "src/base/clock.h"
#include "src/base/error.h"
#include "src/base/memory.h"
#include "src/base/rank.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#define BEAT_SECONDS 0.1
#define POLL_SECONDS 0.1

/* The largest time that one poll adds to a wait: this process may have been stopped itself, with the whole job. */
#define LONGEST_STEP 0.5

/* What this rank knows of another: its latest heartbeat, and for how many seconds it has not changed. */
typedef struct { uint64_t beats; double still; } seen;

struct rank_watch {
    rank_row *row;
    int rank, size, first;
    double limit, last_poll;
    double together;                        /* seconds for which all ranks have waited in one call */
    seen *of;
    pthread_t counter;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool ending;
};

static const char *const call_names[] = { [CALL_NONE] = "none", [CALL_BARRIER] = "barrier",
                                          [CALL_BROADCAST] = "broadcast", [CALL_GATHER_ALL] = "gather_all",
                                          [CALL_EXCHANGE] = "exchange", [CALL_END] = "end" };

/* A call is one word, so that a reader never sees parts of two calls: its number, its kind, and a hash of its
 * amount. */
enum { AMOUNT_BITS = 28, KIND_BITS = 4 };

static uint64_t call_word(uint64_t number, rank_call call, uint64_t amount)
{
    const uint64_t short_amount = (amount ^ amount >> AMOUNT_BITS) & (((uint64_t)1 << AMOUNT_BITS) - 1);
    return number << (AMOUNT_BITS + KIND_BITS) | (uint64_t)call << AMOUNT_BITS | short_amount;
}

static uint64_t number_of(uint64_t word)
{
    return word >> (AMOUNT_BITS + KIND_BITS);
}

static rank_call call_of(uint64_t word)
{
    return (rank_call)(word >> AMOUNT_BITS & ((1u << KIND_BITS) - 1));
}

/* ---- the thread that counts */

static struct timespec later(double seconds)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += (long)(seconds * 1e9);
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

static void *count(void *of)
{
    rank_watch *w = of;
    rank_of_thread(w->first + w->rank);
    pthread_mutex_lock(&w->lock);
    while (!w->ending) {
        const struct timespec next = later(BEAT_SECONDS);
        w->row[w->rank].beats++;
        pthread_cond_timedwait(&w->ended, &w->lock, &next);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

rank_watch *rank_watch_begin(rank_row *row, int rank, int size, int first, double limit)
{
    rank_watch *w = memory_alloc(sizeof *w, "watch over ranks");
    *w = (rank_watch){ .row = row, .rank = rank, .size = size, .first = first, .limit = limit,
                        .last_poll = clock_now() };
    w->of = memory_alloc((size_t)size * sizeof *w->of, "watch over ranks");
    row[rank].beats = 1;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->ended, NULL);
    /* Signals are for the main thread. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    require(pthread_create(&w->counter, NULL, count, w) == 0, "cannot start a thread: too many for this machine");
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return w;
}

void rank_watch_end(rank_watch *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->ending = true;
    pthread_cond_signal(&w->ended);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->counter, NULL);
    pthread_cond_destroy(&w->ended);
    pthread_mutex_destroy(&w->lock);
    memory_free(w->of);
    memory_free(w);
}

/* ---- the thread that waits */

/* Several ranks may find the same fault.  The first reports it and ends all; the others wait for this, but not longer
 * than SECONDS. */
static void claim_report(const rank_watch *w)
{
    enum { SECONDS = 5 };
    if (atomic_exchange(&w->row[0].reported, 1))
        sleep(SECONDS);
}

/* Fatal if call `number` differs between this rank and rank r. */
static void compare_calls(const rank_watch *w, int r, uint64_t number)
{
    const uint64_t mine = w->row[w->rank].call[number % WATCH_HISTORY], theirs = w->row[r].call[number % WATCH_HISTORY];
    if (mine == theirs || number_of(mine) != number || number_of(theirs) != number)
        return;
    const bool ended = call_of(mine) == CALL_END || call_of(theirs) == CALL_END;
    const int gone = call_of(mine) == CALL_END ? w->rank : r, left = call_of(mine) == CALL_END ? r : w->rank;
    claim_report(w);
    if (ended)
        fatal("%s has ended while %s waits for it in %s", rank_name(w->first + gone).s, rank_name(w->first + left).s,
              call_names[call_of(gone == r ? mine : theirs)]);
    fatal("internal error: %s is in %s, %s in %s%s", rank_name(w->first + w->rank).s, call_names[call_of(mine)],
          rank_name(w->first + r).s, call_names[call_of(theirs)],
          call_of(mine) == call_of(theirs) ? " of another size" : "");
}

void rank_watch_call(rank_watch *w, rank_call call, uint64_t amount)
{
    if (!w)
        return;
    rank_row *row = &w->row[w->rank];
    const uint64_t number = row->calls + 1;
    row->call[number % WATCH_HISTORY] = call_word(number, call, amount);
    row->calls = number;
}

void rank_watch_compare(const rank_watch *w)
{
    const uint64_t mine = w ? w->row[w->rank].calls : 0;
    for (int r = 0; w && r < w->size; r++) {
        const uint64_t theirs = w->row[r].calls;
        compare_calls(w, r, theirs < mine ? theirs : mine);
    }
}

void rank_watch_done(rank_watch *w)
{
    if (!w)
        return;
    w->row[w->rank].waiting = 0;
    w->together = 0;
    compare_calls(w, (w->rank + 1) % w->size, w->row[w->rank].calls);
}

static void check_heartbeat(rank_watch *w, int r, double step)
{
    seen *s = &w->of[r];
    const uint64_t beats = w->row[r].beats;
    s->still = beats == s->beats && beats > 0 ? s->still + step : 0;
    s->beats = beats;
    if (s->still <= w->limit)
        return;
    claim_report(w);
    fatal("%s has given no sign of life for %.0f s: its process was stopped or has vanished",
          rank_name(w->first + r).s, s->still);
}

/* Fatal if all ranks have waited in the same call for too long: the messages of MPI do not arrive. */
static void check_all_waiting(rank_watch *w, double step)
{
    const uint64_t mine = w->row[w->rank].calls;
    bool together = true;
    for (int r = 0; r < w->size; r++)
        together = together && w->row[r].waiting == mine;
    w->together = together ? w->together + step : 0;
    if (w->together <= w->limit)
        return;
    claim_report(w);
    fatal("all ranks have waited for each other for %.0f s, in %s", w->together,
          call_names[call_of(w->row[w->rank].call[mine % WATCH_HISTORY])]);
}

/* Seconds since the last poll, at most LONGEST_STEP; 0 if it is too early for the next poll. */
static double begin_poll(rank_watch *w)
{
    const double now = clock_now(), step = now - w->last_poll;
    if (step < POLL_SECONDS)
        return 0;
    w->last_poll = now;
    return fmin(step, LONGEST_STEP);
}

static void check_heartbeats(rank_watch *w, double step)
{
    for (int r = 0; r < w->size; r++)
        if (r != w->rank)
            check_heartbeat(w, r, step);
}

void rank_watch_poll(rank_watch *w)
{
    const double step = w ? begin_poll(w) : 0;
    if (step == 0)
        return;
    w->row[w->rank].waiting = w->row[w->rank].calls;
    rank_watch_compare(w);
    check_heartbeats(w, step);
    check_all_waiting(w, step);
}

void rank_watch_poll_beats(rank_watch *w)
{
    const double step = w ? begin_poll(w) : 0;
    if (step > 0)
        check_heartbeats(w, step);
}
