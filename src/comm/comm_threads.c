/* comm_threads.c - ranks that are threads of one process.
 *
 * In a collective call, each rank publishes the address of its data, waits for all ranks, copies from the data of
 * the others, and waits again: a rank changes its data only after all have copied.  If a rank has ended, the ranks
 * that wait for it end the program. */
#include "src/comm/comm_inside.h"

#include "src/base/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What a rank publishes in one call: its data, and the call, which must be the same on all ranks. */
typedef struct { const void *data; size_t bytes; int count; const char *call; } published;

enum { NOBODY = -1, UNKNOWN = -1 };

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t change;                  /* signals changes of the members below */
    int waiting;                            /* ranks that have arrived */
    _Atomic uint64_t generation;            /* how often all ranks have arrived */
    bool polls;                             /* whether there are enough cores for ranks that poll */
    int ended, result;                      /* a rank that has ended, or NOBODY; what it returned, or UNKNOWN */
    published *of;                          /* [rank] */
    int left;                               /* of a group: ranks that have joined the whole again */
} rendezvous;

typedef struct { rendezvous *rendezvous; int rank, size; int (*body)(void *); void *context; int result; } rank_thread;

static rendezvous *rendezvous_of(const comm *c)
{
    return c->inside;
}

/* Before a rank sleeps it polls for about 20 us: ranks with GPUs often arrive within that time, and waking a thread
 * takes longer. */
enum { POLLS = 20000 };

static void poll_generation(const rendezvous *m, uint64_t generation)
{
    int polls = 0;
    while (polls < POLLS && atomic_load_explicit(&m->generation, memory_order_relaxed) == generation)
        polls++;
}

static void wait_for_all(const comm *c)
{
    rendezvous *m = rendezvous_of(c);
    pthread_mutex_lock(&m->lock);
    const uint64_t generation = m->generation;
    if (++m->waiting == c->size) {
        m->waiting = 0;
        m->generation++;
        pthread_cond_broadcast(&m->change);
    } else if (m->polls) {
        pthread_mutex_unlock(&m->lock);
        poll_generation(m, generation);
        pthread_mutex_lock(&m->lock);
    }
    while (m->generation == generation && m->ended == NOBODY)
        pthread_cond_wait(&m->change, &m->lock);
    const bool met = m->generation != generation;
    pthread_mutex_unlock(&m->lock);
    char status[32] = "";
    if (!met && m->result != UNKNOWN)
        snprintf(status, sizeof status, " with status %d", m->result);
    require(met, "%s has ended%s while %s waits for it in %s", comm_rank_name(c, m->ended).s, status,
            comm_rank_name(c, c->rank).s, m->of[c->rank].call);
}

static void end_rank(rendezvous *m, int rank, int result)
{
    pthread_mutex_lock(&m->lock);
    m->ended = rank;
    m->result = result;
    pthread_cond_broadcast(&m->change);
    pthread_mutex_unlock(&m->lock);
}

/* Publishes data and waits for all ranks; returns what they published.  Fatal if ranks are in different calls, which
 * is a fault of the program. */
static const published *publish(const comm *c, published mine)
{
    rendezvous *m = rendezvous_of(c);
    m->of[c->rank] = mine;
    wait_for_all(c);
    for (int r = 0; r < c->size; r++)
        require(strcmp(m->of[r].call, mine.call) == 0 && m->of[r].bytes == mine.bytes && m->of[r].count == mine.count,
                "internal error: %s is in %s of %zu bytes, %d shifts, %s in %s of %zu bytes, %d shifts",
                comm_rank_name(c, c->rank).s, mine.call, mine.bytes, mine.count, comm_rank_name(c, r).s,
                m->of[r].call, m->of[r].bytes, m->of[r].count);
    return m->of;
}

static void barrier(const comm *c)
{
    publish(c, (published){ .call = "barrier" });
    wait_for_all(c);
}

static void broadcast(const comm *c, void *data, size_t bytes)
{
    const published *of = publish(c, (published){ .data = data, .bytes = bytes, .call = "broadcast" });
    if (c->rank > 0)
        memcpy(data, of[0].data, bytes);
    wait_for_all(c);
}

static void gather_all(const comm *c, void *all, const void *mine, size_t bytes)
{
    const published *of = publish(c, (published){ .data = mine, .bytes = bytes, .call = "gather_all" });
    for (int r = 0; r < c->size; r++)
        memcpy((char *)all + (size_t)r * bytes, of[r].data, bytes);
    wait_for_all(c);
}

static void exchange(const comm *c, const comm_shift *shift, int count)
{
    const published *of = publish(c, (published){ .data = shift, .count = count, .call = "exchange" });
    for (int i = 0; i < count; i++) {
        const comm_shift *there = (const comm_shift *)of[shift[i].from].data + i;
        require(there->to == c->rank && there->out_bytes == shift[i].in_bytes,
                "internal error: shift %d from %s is %zu bytes to %s; %s expects %zu bytes", i,
                comm_rank_name(c, shift[i].from).s, there->out_bytes, comm_rank_name(c, there->to).s,
                comm_rank_name(c, c->rank).s, shift[i].in_bytes);
        memcpy(shift[i].in, there->out, shift[i].in_bytes);
    }
    wait_for_all(c);
}

static void rendezvous_begin(rendezvous *m, int ranks, bool polls)
{
    *m = (rendezvous){ .ended = NOBODY, .polls = polls,
                       .of = memory_alloc((size_t)ranks * sizeof *m->of, "rendezvous of ranks") };
    pthread_mutex_init(&m->lock, NULL);
    pthread_cond_init(&m->change, NULL);
}

static void rendezvous_end(rendezvous *m)
{
    pthread_mutex_destroy(&m->lock);
    pthread_cond_destroy(&m->change);
    memory_free(m->of);
}

/* The first rank of each group creates its rendezvous. */
static void *split(const comm *c, int ranks)
{
    rendezvous *mine = NULL;
    if (c->rank % ranks == 0) {
        mine = memory_alloc(sizeof *mine, "rendezvous of a group");
        rendezvous_begin(mine, ranks, rendezvous_of(c)->polls);
    }
    rendezvous **all = memory_alloc((size_t)c->size * sizeof *all, "rendezvous of groups");
    gather_all(c, all, &mine, sizeof mine);
    mine = all[c->rank - c->rank % ranks];
    memory_free(all);
    return mine;
}

/* The last rank to leave frees it. */
static void join(const comm *c)
{
    rendezvous *m = rendezvous_of(c);
    end_rank(m, c->rank, UNKNOWN);            /* of the group alone: the rank goes on */
    pthread_mutex_lock(&m->lock);
    const bool last = ++m->left == c->size;
    pthread_mutex_unlock(&m->lock);
    if (last) {
        rendezvous_end(m);
        memory_free(m);
    }
}

static const comm_functions threads_functions = { "threads", barrier, broadcast, gather_all, exchange, split, join };

static void *run_rank(void *of)
{
    rank_thread *t = of;
    const comm world = { .functions = &threads_functions, .rank = t->rank, .size = t->size, .local_rank = t->rank,
                         .local_size = t->size, .inside = t->rendezvous };
    comm_enter(&world);
    t->result = t->body(t->context);
    end_rank(t->rendezvous, t->rank, t->result);
    comm_enter(NULL);
    return NULL;
}

int comm_run_threads(int ranks, int (*body)(void *context), void *context)
{
    enum { STACK_BYTES = 8 << 20 };
    rendezvous m;
    rank_thread *t = memory_alloc((size_t)ranks * sizeof *t, "threads of ranks");
    pthread_t *id = memory_alloc((size_t)ranks * sizeof *id, "threads of ranks");
    pthread_attr_t attributes;
    rendezvous_begin(&m, ranks, sysconf(_SC_NPROCESSORS_ONLN) >= 2 * ranks);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    for (int r = 0; r < ranks; r++) {
        t[r] = (rank_thread){ .rendezvous = &m, .rank = r, .size = ranks, .body = body, .context = context };
        require(pthread_create(&id[r], &attributes, run_rank, &t[r]) == 0,
                "cannot start the thread of rank %d of %d: too many threads for this machine's limits", r, ranks);
    }
    int result = 0;
    for (int r = 0; r < ranks; r++) {
        pthread_join(id[r], NULL);
        result = t[r].result > result ? t[r].result : result;
    }
    pthread_attr_destroy(&attributes);
    rendezvous_end(&m);
    memory_free(t);
    memory_free(id);
    return result;
}
