/* peer_memory.c - addresses of memory on all ranks, and the chunks of other ranks that are open. */
#include "src/halo/peer_memory.h"

#include "gpu/device.h"
#include "src/base/memory.h"

#include <string.h>

/* A chunk of another rank that this one has opened. */
typedef struct { int rank; unsigned char name[DEVICE_CHUNK_NAME]; char *begin; } open_chunk;

struct peer_memory {
    const comm *ranks;
    bool is_one_process;
    open_chunk *open;
    int count, capacity;
};

peer_memory *peer_memory_begin(const comm *ranks)
{
    peer_memory *m = memory_alloc(sizeof *m, "memory of other ranks");
    m->ranks = ranks;
    m->is_one_process = strcmp(comm_kind(ranks), "mpi") != 0;
    device_lend_begin();
    return m;
}

void peer_memory_end(peer_memory *m)
{
    for (int i = 0; i < m->count; i++)
        device_borrow_end(m->open[i].begin);
    comm_barrier(m->ranks);
    device_lend_end();
    memory_free(m->open);
    memory_free(m);
}

static char *begin_of_chunk(peer_memory *m, int rank, const device_place *at, failure *f)
{
    for (int i = 0; i < m->count; i++)
        if (m->open[i].rank == rank && memcmp(m->open[i].name, at->chunk, sizeof at->chunk) == 0)
            return m->open[i].begin;
    if (m->count == m->capacity) {
        open_chunk *more = memory_alloc((size_t)(2 * m->capacity + 16) * sizeof *more, "memory of other ranks");
        if (m->count > 0)
            memcpy(more, m->open, (size_t)m->count * sizeof *more);
        memory_free(m->open);
        m->open = more;
        m->capacity = 2 * m->capacity + 16;
    }
    open_chunk *c = &m->open[m->count];
    c->rank = rank;
    memcpy(c->name, at->chunk, sizeof c->name);
    c->begin = device_borrow(at, f);
    m->count += c->begin != NULL;
    return c->begin;
}

static bool translate(peer_memory *m, void **addresses, peer_blocks b, const device_place *at, failure *f)
{
    const int mine = comm_rank(m->ranks), ranks = comm_size(m->ranks);
    for (int i = 0; i < ranks * b.count; i++) {
        const int rank = i / b.count;
        addresses[i] = NULL;
        if (rank == mine) {
            addresses[i] = b.mine[i % b.count];
        } else if (b.reached[rank]) {
            char *begin = begin_of_chunk(m, rank, &at[i], f);
            if (!begin)
                return false;
            addresses[i] = begin + at[i].offset;
        }
    }
    return true;
}

bool peer_memory_exchange(peer_memory *m, void **addresses, peer_blocks b, failure *f)
{
    const size_t count = (size_t)b.count, ranks = (size_t)comm_size(m->ranks);
    if (m->is_one_process) {
        comm_gather_all(m->ranks, addresses, b.mine, count * sizeof *b.mine);
        return true;
    }
    device_place *mine = memory_alloc(count * sizeof *mine, "places of fields");
    device_place *all = memory_alloc(ranks * count * sizeof *all, "places of fields");
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++)
        ok = device_lend(&mine[i], b.mine[i], f);
    /* Collective: also called by a rank whose memory no other rank opens. */
    comm_gather_all(m->ranks, all, mine, count * sizeof *mine);
    ok = ok && translate(m, addresses, b, all, f);
    memory_free(mine);
    memory_free(all);
    return ok;
}
