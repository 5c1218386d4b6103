/* test_device_pool.c - blocks out of chunks: aligned, apart from each other, joined when they are free, used again; and
 * what becomes of chunks where memory is short or other processes have them open. */
#include "gpu/device_pool.h"
#include "tests/facts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MIB ((size_t)1 << 20)

/* A GPU of `size` bytes, which gives chunks at invented addresses: nobody reads or writes there. */
enum { CHUNKS = 4096 };
typedef struct {
    size_t size, taken, next;
    struct { uintptr_t at; size_t bytes; } chunk[CHUNKS];
    int chunks, asked, unknown;
} machine;

static void *get_chunk(void *of, size_t bytes)
{
    machine *m = of;
    m->asked++;
    if (bytes > m->size - m->taken || m->chunks == CHUNKS)
        return NULL;
    m->next += MIB;
    const uintptr_t at = ((uintptr_t)1 << 40) + m->next;
    m->next += (bytes + MIB - 1) / MIB * MIB;
    m->taken += bytes;
    m->chunk[m->chunks].at = at;
    m->chunk[m->chunks++].bytes = bytes;
    return (void *)at;
}

static void give_back(void *of, void *chunk)
{
    machine *m = of;
    int i = 0;
    while (i < m->chunks && m->chunk[i].at != (uintptr_t)chunk)
        i++;
    if (i == m->chunks) {
        m->unknown++;
        return;
    }
    m->taken -= m->chunk[i].bytes;
    m->chunk[i] = m->chunk[--m->chunks];
}

static device_pool *pool_of(machine *m, size_t size, size_t chunk_bytes)
{
    *m = (machine){ .size = size };
    return device_pool_create((chunk_source){ get_chunk, give_back, m }, chunk_bytes);
}

/* ---- at random */

typedef struct { uintptr_t at; size_t bytes; } held;

static bool lies_in_a_chunk(const machine *m, held b)
{
    for (int i = 0; i < m->chunks; i++)
        if (b.at >= m->chunk[i].at && b.at + b.bytes <= m->chunk[i].at + m->chunk[i].bytes)
            return true;
    return false;
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Any size is as likely as its half: from 0 bytes to 200 MiB. */
static size_t random_bytes(uint64_t *state)
{
    const uint64_t most = (uint64_t)1 << next_random(state) % 29;
    return next_random(state) % most * (next_random(state) % 2 ? 1 : 16) % (200 * MIB);
}

static void blocks_at_random(size_t chunk_bytes)
{
    enum { HELD = 300, STEPS = 20000 };
    machine m;
    device_pool *p = pool_of(&m, (size_t)1 << 40, chunk_bytes);
    held of[HELD] = { { 0, 0 } };
    uint64_t state = 17;
    size_t now = 0, largest_waste = 0;
    int outside = 0, unaligned = 0, overlaps = 0, wrong = 0;
    for (int step = 0; step < STEPS; step++) {
        const int i = (int)(next_random(&state) % HELD);
        if (of[i].at) {
            wrong += device_pool_return(p, (void *)of[i].at) != of[i].bytes;
            now -= of[i].bytes;
            of[i].at = 0;
        } else {
            const size_t bytes = random_bytes(&state);
            of[i] = (held){ (uintptr_t)device_pool_alloc(p, bytes), bytes };
            now += bytes;
            outside += !lies_in_a_chunk(&m, of[i]);
            unaligned += of[i].at % POOL_ALIGNMENT != 0;
            for (int k = 0; k < HELD; k++)
                overlaps += k != i && of[k].at && of[i].at < of[k].at + (of[k].bytes ? of[k].bytes : 1)
                            && of[k].at < of[i].at + (of[i].bytes ? of[i].bytes : 1);
        }
        if (m.taken - now > largest_waste)
            largest_waste = m.taken - now;
    }
    fact(outside == 0, "chunks of %zu MiB: every block lies in a chunk", chunk_bytes / MIB);
    fact(unaligned == 0, "is aligned");
    fact(overlaps == 0, "shares no byte with another");
    fact(wrong == 0, "and returns the bytes that were asked for");
    note("at most %zu MiB of chunks were not in use", largest_waste / MIB);
    for (int i = 0; i < HELD; i++)
        if (of[i].at)
            device_pool_return(p, (void *)of[i].at);
    fact(m.taken == 0 && m.unknown == 0, "without blocks all chunks have gone back (%zu bytes have not)", m.taken);
    device_pool_free(p);
}

/* ---- gaps */

static void neighbors_join(void)
{
    enum { BLOCKS = 64 };
    machine m;
    device_pool *p = pool_of(&m, (size_t)1 << 40, POOL_CHUNK_BYTES);
    char *block[BLOCKS];
    for (int i = 0; i < BLOCKS; i++)
        block[i] = device_pool_alloc(p, MIB);
    char *more = device_pool_alloc(p, 1);
    fact(m.chunks == 2, "blocks that fill a chunk exactly fit, and the next one gets another chunk");
    for (int i = 1; i < BLOCKS; i += 2)
        device_pool_return(p, block[i]);
    for (int i = 2; i < BLOCKS; i += 2)
        device_pool_return(p, block[i]);
    fact(device_pool_alloc(p, 8 * MIB) == block[1], "gaps between freed blocks are one gap");
    fact(device_pool_alloc(p, 8 * MIB) == block[9], "of which the next block takes what follows");
    device_pool_return(p, block[0]);
    fact(device_pool_alloc(p, MIB) == block[0], "the smallest gap that is large enough is used first");
    device_pool_return(p, more);
    fact(m.chunks == 2 && device_pool_unused(p) == POOL_CHUNK_BYTES,
         "a chunk for small blocks stays without blocks while there are others");
    device_pool_free(p);
    fact(m.taken == 0, "and goes back with the pool");
}

static void large_blocks(void)
{
    machine m;
    device_pool *p = pool_of(&m, (size_t)1 << 40, POOL_CHUNK_BYTES);
    device_pool_alloc(p, 1);
    void *large = device_pool_alloc(p, 100 * MIB + 1);
    fact(m.taken == POOL_CHUNK_BYTES + 102 * MIB, "a large block has a chunk of its own, of whole 2 MiB");
    device_pool_return(p, large);
    fact(m.taken == POOL_CHUNK_BYTES, "which goes back with it");
    device_pool_free(p);
    p = pool_of(&m, MIB, 0);
    void *a = device_pool_alloc(p, 100), *b = device_pool_alloc(p, 4);
    fact(m.chunks == 2 && m.taken == 104, "a pool without chunks for small blocks gives each one of exactly its size");
    device_pool_return(p, a);
    device_pool_return(p, b);
    fact(m.taken == 0, "and gives it back");
    device_pool_free(p);
}

/* ---- little memory */

static void memory_is_short(void)
{
    machine m;
    device_pool *p = pool_of(&m, 200 * MIB, POOL_CHUNK_BYTES);
    void *kept = device_pool_alloc(p, MIB), *block[64];
    for (int i = 0; i < 64; i++)
        block[i] = device_pool_alloc(p, MIB);
    for (int i = 0; i < 64; i++)
        device_pool_return(p, block[i]);
    fact(m.taken == 2 * POOL_CHUNK_BYTES && device_pool_unused(p) == POOL_CHUNK_BYTES,
         "a chunk is there without blocks");
    void *large = device_pool_alloc(p, 120 * MIB);
    fact(large && m.taken == POOL_CHUNK_BYTES + 120 * MIB, "it goes back where a block would find no memory");
    fact(device_pool_alloc(p, 120 * MIB) == NULL, "a block that does not fit is refused");
    int small = 0;
    while (device_pool_alloc(p, 4 * MIB))
        small++;
    fact(small == 15 + 4, "small blocks fill what is left, though no usual chunk fits (%d of 4 MiB)", small);
    device_pool_return(p, large);
    device_pool_return(p, kept);
    fact(device_pool_alloc(p, SIZE_MAX) == NULL, "a size beyond all memory is refused");
    device_pool_free(p);
    p = pool_of(&m, 120 * MIB, POOL_CHUNK_BYTES);
    large = device_pool_alloc(p, 120 * MIB);
    device_pool_keep(p, true);
    void *place = device_pool_lend(p, large);
    device_pool_return(p, large);
    fact(place && device_pool_alloc(p, MIB) == large, "at last small blocks use large chunks");
    device_pool_free(p);
}

/* ---- chunks that other processes have open */

static void chunks_are_lent(void)
{
    machine m;
    device_pool *p = pool_of(&m, 1000 * MIB, POOL_CHUNK_BYTES);
    device_pool_keep(p, true);
    char *lent = device_pool_alloc(p, 300 * MIB), *other = device_pool_alloc(p, 300 * MIB);
    lent_chunk *c = device_pool_lend(p, lent + 5);
    fact(c && c->memory == lent && !c->named, "an address inside of a block is in the chunk of the block");
    fact(device_pool_lend(p, &m) == NULL, "an address elsewhere is in none");
    c->named = true;
    memset(c->name, 1, sizeof c->name);
    device_pool_return(p, lent);
    device_pool_return(p, other);
    fact(m.taken == 600 * MIB && device_pool_unused(p) == m.taken, "chunks that are kept stay without blocks");
    char *again = device_pool_alloc(p, 200 * MIB);
    fact((again == lent || again == other) && m.taken == 600 * MIB, "and are used again, for smaller blocks too");
    device_pool_return(p, again);
    fact(device_pool_alloc(p, 700 * MIB) && m.taken == 1000 * MIB,
         "where memory is short, those that are not lent go back");
    fact(device_pool_alloc(p, 300 * MIB) == lent, "but not those that are lent");
    device_pool_return(p, lent);
    device_pool_keep(p, false);
    fact(m.taken == 700 * MIB, "they go back when nobody has them open any more");
    device_pool_free(p);
    fact(m.taken == 0 && m.unknown == 0, "no chunk goes back twice");
}

int main(void)
{
    blocks_at_random(POOL_CHUNK_BYTES);
    blocks_at_random(0);
    neighbors_join();
    large_blocks();
    memory_is_short();
    chunks_are_lent();
    return facts_end();
}
