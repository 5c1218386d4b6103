/* device_pool.c - chunks, each with a list of blocks in the order of addresses; a block is used or a gap.  No two gaps
 * are adjacent. */
#include "gpu/device_pool.h"

#include "src/base/error.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Requests of at most 1/SMALL_PART of a chunk share chunks: less than this part of a chunk is wasted at its end. */
enum { SMALL_PART = 8 };

/* Sizes of separate chunks are multiples of this, to which the driver rounds in any case. */
#define LARGE_UNIT ((size_t)2 << 20)

/* `capacity` bytes from offset `at` on, of which `bytes` were requested. */
typedef struct block { size_t at, capacity, bytes; bool used; struct block *before, *next; } block;

typedef struct { lent_chunk lent; size_t bytes; bool small, is_lent; int used; block *first; } chunk;

struct device_pool {
    chunk_source from;
    size_t chunk_bytes;
    chunk **chunk;
    int chunks, capacity, used;              /* used: blocks in all chunks */
    bool keep;
};

static void *host_memory(void *old, size_t bytes)
{
    void *p = realloc(old, bytes);
    require(p != NULL, "out of host memory: book-keeping of GPU memory");
    return p;
}

static block *make_block(size_t at, size_t capacity, block *before, block *next)
{
    block *b = host_memory(NULL, sizeof *b);
    *b = (block){ .at = at, .capacity = capacity, .before = before, .next = next };
    if (before)
        before->next = b;
    if (next)
        next->before = b;
    return b;
}

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

device_pool *device_pool_create(chunk_source from, size_t chunk_bytes)
{
    device_pool *p = host_memory(NULL, sizeof *p);
    *p = (device_pool){ .from = from, .chunk_bytes = chunk_bytes };
    return p;
}

/* ---- chunks */

static bool add_chunk(device_pool *p, size_t bytes, bool small)
{
    char *memory = p->from.get(p->from.context, bytes);
    if (!memory)
        return false;
    if (p->chunks == p->capacity) {
        p->capacity = 2 * p->capacity + 8;
        p->chunk = host_memory(p->chunk, (size_t)p->capacity * sizeof(chunk *));
    }
    chunk *c = host_memory(NULL, sizeof *c);
    *c = (chunk){ .lent.memory = memory, .bytes = bytes, .small = small, .first = make_block(0, bytes, NULL, NULL) };
    p->chunk[p->chunks++] = c;
    return true;
}

/* Gives a chunk back to the source.  The last chunk gets its number. */
static void drop_chunk(device_pool *p, int number)
{
    chunk *c = p->chunk[number];
    p->chunk[number] = p->chunk[--p->chunks];
    for (block *b = c->first, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    p->from.give_back(p->from.context, c->lent.memory);
    free(c);
}

/* Gives back chunks without blocks, except lent chunks. */
static void drop_unused(device_pool *p)
{
    for (int i = p->chunks - 1; i >= 0; i--)
        if (p->chunk[i]->used == 0 && !p->chunk[i]->is_lent)
            drop_chunk(p, i);
}

static chunk *chunk_at(const device_pool *p, const void *address, int *number)
{
    const uintptr_t at = (uintptr_t)address;
    for (int i = 0; i < p->chunks; i++) {
        const uintptr_t begin = (uintptr_t)p->chunk[i]->lent.memory;
        if (at >= begin && at - begin < p->chunk[i]->bytes) {
            *number = i;
            return p->chunk[i];
        }
    }
    return NULL;
}

void device_pool_free(device_pool *p)
{
    while (p && p->chunks > 0)
        drop_chunk(p, p->chunks - 1);
    if (p)
        free(p->chunk);
    free(p);
}

/* ---- blocks */

typedef enum { IN_SMALL, IN_LARGE, IN_ANY } chunk_kind;

/* The smallest gap that holds `bytes` bytes, the first among equal ones. */
static block *find_gap(const device_pool *p, size_t bytes, chunk_kind kind, chunk **of)
{
    block *best = NULL;
    for (int i = 0; i < p->chunks; i++) {
        chunk *c = p->chunk[i];
        if (kind != IN_ANY && c->small != (kind == IN_SMALL))
            continue;
        for (block *b = c->first; b; b = b->next)
            if (!b->used && b->capacity >= bytes && (!best || b->capacity < best->capacity)) {
                best = b;
                *of = c;
            }
    }
    return best;
}

static void *use_gap(device_pool *p, chunk *c, block *b, size_t bytes)
{
    const size_t capacity = round_up(bytes > 0 ? bytes : 1, POOL_ALIGNMENT);
    if (b->capacity > capacity) {
        make_block(b->at + capacity, b->capacity - capacity, b, b->next);
        b->capacity = capacity;
    }
    b->used = true;
    b->bytes = bytes;
    c->used++;
    p->used++;
    return c->lent.memory + b->at;
}

/* A gap for a request: an existing gap, else a new chunk of the usual size.  If the source has no memory, gives unused
 * chunks back and tries again; then tries a chunk of exactly the needed size; at last a gap in a chunk of the other
 * kind. */
static block *gap_for(device_pool *p, size_t bytes, chunk **of)
{
    const bool small = bytes <= p->chunk_bytes / SMALL_PART;
    const chunk_kind kind = small ? IN_SMALL : IN_LARGE;
    const size_t own = round_up(bytes, p->chunk_bytes > 0 ? LARGE_UNIT : 1), usual = small ? p->chunk_bytes : own;
    block *b = find_gap(p, bytes, kind, of);
    if (b)
        return b;
    if (!add_chunk(p, usual, small)) {
        drop_unused(p);
        if (!add_chunk(p, usual, small) && !add_chunk(p, own, small))
            return find_gap(p, bytes, IN_ANY, of);
    }
    return find_gap(p, bytes, kind, of);
}

void *device_pool_alloc(device_pool *p, size_t bytes)
{
    chunk *c = NULL;
    if (bytes > SIZE_MAX / 2)
        return NULL;
    block *b = gap_for(p, bytes > 0 ? bytes : 1, &c);
    return b ? use_gap(p, c, b, bytes) : NULL;
}

/* Merges a gap with the gap behind it. */
static void join(block *b)
{
    block *next = b->next;
    b->capacity += next->capacity;
    b->next = next->next;
    if (b->next)
        b->next->before = b;
    free(next);
}

size_t device_pool_return(device_pool *p, void *address)
{
    int number = 0;
    chunk *c = chunk_at(p, address, &number);
    block *b = c ? c->first : NULL;
    while (b && c->lent.memory + b->at != (char *)address)
        b = b->next;
    require(b && b->used, "internal error: no block of GPU memory begins at %p", address);
    const size_t bytes = b->bytes;
    b->used = false;
    c->used--;
    p->used--;
    if (b->next && !b->next->used)
        join(b);
    if (b->before && !b->before->used)
        join(b->before);
    if (p->keep)
        return bytes;
    if (p->used == 0)
        drop_unused(p);
    else if (c->used == 0 && !c->small && !c->is_lent)
        drop_chunk(p, number);
    return bytes;
}

/* ---- for other processes */

void device_pool_keep(device_pool *p, bool keep)
{
    p->keep = keep;
    if (keep)
        return;
    for (int i = 0; i < p->chunks; i++) {
        p->chunk[i]->is_lent = p->chunk[i]->lent.named = false;
        memset(p->chunk[i]->lent.name, 0, sizeof p->chunk[i]->lent.name);
    }
    drop_unused(p);
}

lent_chunk *device_pool_lend(device_pool *p, const void *address)
{
    int number = 0;
    chunk *c = chunk_at(p, address, &number);
    if (!c)
        return NULL;
    c->is_lent = true;
    return &c->lent;
}

size_t device_pool_unused(const device_pool *p)
{
    size_t bytes = 0;
    for (int i = 0; p && i < p->chunks; i++)
        bytes += p->chunk[i]->used == 0 ? p->chunk[i]->bytes : 0;
    return bytes;
}
