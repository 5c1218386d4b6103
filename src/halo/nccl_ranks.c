/* nccl_ranks.c - creates a communicator of the ranks, tests it with known words (a greeting), and uses it. */
#include "src/halo/nccl_ranks.h"

#include "gpu/device.h"
#include "gpu/device_waits.h"
#include "gpu/nccl.h"
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/comm/gpu_of_rank.h"
#include "src/lattice/batch_sums.h"
#include "src/lattice/place_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Time limit of a wait: longer than the work of a rank between two barriers on the host. */
#define LIMIT_SECONDS 30.0

struct nccl_ranks {
    const lattice *lattice;
    const comm *ranks;
    nccl *nccl;
    long long *words;                    /* of a sum, on the GPU */
    double limit;                        /* seconds */
    bool in_graph;
    device_watch watch;
};

/* The limit of a wait: $KILN_RANK_LIMIT if it is shorter; the program has checked that it is a number. */
static double limit_of_waits(void)
{
    const char *given = getenv("KILN_RANK_LIMIT");
    const double seconds = given ? strtod(given, NULL) : LIMIT_SECONDS;
    return seconds >= 1 && seconds < LIMIT_SECONDS ? seconds : LIMIT_SECONDS;
}

/* ---- whether NCCL can be used */

/* The number of different GPUs of the ranks; 0 with the reason if the GPU of a rank is unknown.  Collective. */
static int count_gpus(const comm *ranks, failure *f)
{
    device_description d;
    if (!comm_agree(ranks, device_describe(device_index(), &d, f), f))
        return 0;
    gpu_name mine = { .node = comm_node(ranks) };
    gpu_name *all = memory_alloc((size_t)comm_size(ranks) * sizeof *all, "GPUs of ranks");
    snprintf(mine.bus, sizeof mine.bus, "%s", d.bus);
    comm_gather_all(ranks, all, &mine, sizeof mine);
    const int count = gpus_count(all, comm_size(ranks));
    memory_free(all);
    return count;
}

static bool is_same_library(const comm *ranks, failure *f)
{
    nccl_version_text mine = { "" };
    const nccl_version_text *version = nccl_version(f);
    if (!comm_agree(ranks, version != NULL, f))
        return false;
    memcpy(mine.s, version->s, strlen(version->s));
    return comm_same(ranks, &mine, sizeof mine, "the version of NCCL", f);
}

static bool join_ranks(nccl_ranks *n, failure *f)
{
    nccl_members m = { .rank = comm_rank(n->ranks), .ranks = comm_size(n->ranks), .limit = n->limit };
    if (!comm_agree(n->ranks, m.rank > 0 || nccl_make_id(&m.id, f), f))
        return false;
    comm_broadcast(n->ranks, &m.id, sizeof m.id);
    n->nccl = nccl_join(&m, f);
    return comm_agree(n->ranks, n->nccl != NULL, f);
}

/* The word that a rank sends to another in the greeting. */
static long long greeting(int from, int to)
{
    return 0x4b1d00000000 + (long long)from * 65536 + to;
}

enum { TERMS = 2 };

/* Whether ghosts travel between this rank and another one. */
static bool is_neighbor(const nccl_ranks *n, int other)
{
    const ghost_boxes *ghosts = lattice_ghosts(n->lattice);
    const lattice_shape *shape = lattice_shape_of(n->lattice);
    bool is = false;
    for (int b = 0; b < ghosts->count; b++)
        is |= ghost_owner(shape, &ghosts->box[b]) == other || ghost_receiver(shape, &ghosts->box[b]) == other;
    return is && other != comm_rank(n->ranks);
}

static bool check_greeting(const nccl_ranks *n, const long long *words, failure *f)
{
    const int size = comm_size(n->ranks), mine = comm_rank(n->ranks);
    const long long *got = words + size, *sum = words + 2 * size;
    long long of_ranks = 0;
    for (int r = 0; r < size; r++) {
        of_ranks += r + 1;
        if (is_neighbor(n, r) && got[r] != greeting(r, mine))
            return fail(f, "NCCL: what %s sends to %s does not arrive", comm_rank_name(n->ranks, r).s,
                        comm_rank_name(n->ranks, mine).s);
    }
    return (sum[0] == of_ranks && sum[1] == -of_ranks * ((long long)1 << 40))
           || fail(f, "NCCL: a sum over the ranks has a wrong result on %s", comm_rank_name(n->ranks, mine).s);
}

/* Every rank sends a word to each of its neighbors, and takes part in a sum of TERMS words. */
static bool greet_with(nccl_ranks *n, nccl_message *m, long long *words, long long *there, failure *f)
{
    const int size = comm_size(n->ranks), mine = comm_rank(n->ranks);
    const size_t bytes = (size_t)(2 * size + TERMS) * sizeof *words, word = sizeof *words;
    int count = 0;
    for (int r = 0; r < size; r++)
        words[r] = greeting(mine, r);
    words[2 * size] = mine + 1;
    words[2 * size + 1] = -(mine + 1) * ((long long)1 << 40);
    device_copy_to(there, words, bytes);
    for (int r = 0; r < size; r++)
        if (is_neighbor(n, r))
            m[count++] = (nccl_message){ r, r, there + r, there + size + r, word, word };
    if (!nccl_exchange(n->nccl, m, count, f) || !nccl_sum(n->nccl, there + 2 * size, TERMS, f)
        || !nccl_wait(n->nccl, f))
        return false;
    device_copy_from(words, there, bytes);
    return check_greeting(n, words, f);
}

static bool greet(nccl_ranks *n, failure *f)
{
    const size_t size = (size_t)comm_size(n->ranks), bytes = (2 * size + TERMS) * sizeof(long long);
    nccl_message *m = memory_alloc(size * sizeof *m, "a greeting of ranks");
    long long *words = memory_alloc(bytes, "a greeting of ranks");
    long long *there = place_alloc(PLACE_GPU, bytes, "a greeting of ranks");
    const bool ok = greet_with(n, m, words, there, f);
    if (!ok) {
        nccl_abandon(n->nccl);               /* before anything waits for the stream */
        n->nccl = NULL;
    }
    place_free(PLACE_GPU, there);
    memory_free(words);
    memory_free(m);
    return comm_agree(n->ranks, ok, f);
}

/* Fails if this wait for a graph has lasted too long. */
static bool is_within_limit(const nccl_ranks *n, double waited, failure *f)
{
    return !n->in_graph || waited < n->limit
           || fail(f, "NCCL: %s has waited %.0f s for the other ranks in a loop of a solver",
                   comm_rank_name(n->ranks, comm_rank(n->ranks)).s, waited);
}

static void end_if_failed(void *of, double waited)
{
    nccl_ranks *n = of;
    failure why;
    if (nccl_check(n->nccl, &why) && is_within_limit(n, waited, &why))
        return;
    nccl_abandon(n->nccl);
    fatal("%s; look at the logs and machines of the other ranks", why.why);
}

nccl_ranks *nccl_ranks_create(lattice *l, bool may_share, failure *f)
{
    const comm *ranks = lattice_comm(l);
    const int gpus = count_gpus(ranks, f);
    failure shared;
    const bool is_shared = gpus < comm_size(ranks);
    fail(&shared, "NCCL needs a GPU for each rank, but %d ranks share %s", comm_size(ranks),
         count_to_text(gpus, "GPU").s);
    if (gpus == 0 || !is_same_library(ranks, f))
        return NULL;
    if (is_shared && !may_share) {
        fail(f, "%s", shared.why);
        return NULL;
    }
    nccl_ranks *n = memory_alloc(sizeof *n, "ranks with NCCL");
    n->lattice = l;
    n->ranks = ranks;
    n->limit = limit_of_waits();
    if (join_ranks(n, f) && greet(n, f)) {
        n->words = place_alloc(PLACE_GPU, BATCH_WORDS * sizeof *n->words, "sums of ranks");
        n->watch = (device_watch){ .check = end_if_failed, .context = n };
        device_watch_begin(&n->watch);
        return n;
    }
    if (n->nccl)
        nccl_abandon(n->nccl);
    memory_free(n);
    if (is_shared && f) {
        const failure of_nccl = *f;
        fail(f, "%s (%s)", shared.why, of_nccl.why);
    }
    return NULL;
}

void nccl_ranks_free(nccl_ranks *n)
{
    if (!n)
        return;
    device_wait();
    comm_barrier(n->ranks);
    device_watch_end(&n->watch);
    nccl_leave(n->nccl);
    place_free(PLACE_GPU, n->words);
    memory_free(n);
}

const char *nccl_ranks_version(void)
{
    const nccl_version_text *v = nccl_version(NULL);
    return v ? v->s : "";
}

/* ---- work */

static void must(nccl_ranks *n, bool ok, const failure *why)
{
    if (ok)
        return;
    nccl_abandon(n->nccl);
    fatal("%s; look at the logs and machines of the other ranks", why->why);
}

void nccl_ranks_barrier(const nccl_ranks *n)
{
    comm_barrier(n->ranks);
}

bool nccl_ranks_go_into_graphs(void)
{
    return nccl_goes_into_graphs();
}

void nccl_ranks_graph_begin(nccl_ranks *n)
{
    n->in_graph = true;
}

void nccl_ranks_graph_end(nccl_ranks *n)
{
    device_wait();
    n->in_graph = false;
}

void nccl_ranks_exchange(nccl_ranks *n, const comm_shift *shift, int count)
{
    const int mine = comm_rank(n->ranks);
    nccl_message *m = memory_alloc((size_t)count * sizeof *m, "messages of ghosts");
    failure why;
    int messages = 0;
    for (int i = 0; i < count; i++) {
        const comm_shift *s = &shift[i];
        if (s->to == mine)
            device_copy_within(s->in, s->out, s->in_bytes);
        else
            m[messages++] = (nccl_message){ s->to, s->from, s->out, s->in, s->out_bytes, s->in_bytes };
    }
    const bool ok = messages == 0 || nccl_exchange(n->nccl, m, messages, &why);
    memory_free(m);
    must(n, ok, &why);
}

void nccl_ranks_sum(nccl_ranks *n, krylov_sum sum, const krylov_batch *b)
{
    const batch_words_args args = { .b = *b, .sum = sum, .words = n->words };
    failure why;
    batch_words_write(&args);
    must(n, nccl_sum(n->nccl, n->words, b->count * batch_sums_of(sum) * CELL_WORDS, &why), &why);
    batch_words_finish(&args);
}
