/* loop.c - kernels that are repeated while a number says so. */
#include "src/lattice/loop.h"

#include "gpu/device_loop.h"
#include "src/base/checksum.h"
#include "src/base/memory.h"

#include <string.h>

/* Graphs that are kept: the latest. */
enum { KEPT = 16 };

typedef struct {
    const map_kernel *kernel;
    precision precision;
    size_t at;                           /* of its arguments in `bytes` */
    site_range range;
} launch;

struct loop {
    place where;
    int count, room;
    launch *launches;
    char *bytes;
    size_t used, size;
    struct { uint64_t digest; device_loop *run; } kept[KEPT];
    int next;
};

loop *loop_create(place where)
{
    loop *l = memory_alloc(sizeof *l, "a loop of kernels");
    l->where = where;
    return l;
}

void loop_free(loop *l)
{
    if (!l)
        return;
    for (int i = 0; i < KEPT; i++)
        if (l->kept[i].run)
            device_loop_free(l->kept[i].run);
    memory_free(l->launches);
    memory_free(l->bytes);
    memory_free(l);
}

void loop_clear(loop *l)
{
    l->count = 0;
    l->used = 0;
}

/* The block of `used` bytes, twice as large as it must be. */
static void *grown(void *block, size_t used, size_t size)
{
    void *larger = memory_alloc(size, "a loop of kernels");
    if (used > 0)
        memcpy(larger, block, used);
    memory_free(block);
    return larger;
}

void loop_add(loop *l, const map_kernel *k, precision p, const void *args, size_t size, site_range range)
{
    const size_t aligned = (size + 63) / 64 * 64;
    if (l->count == l->room) {
        l->room = 2 * l->room + 16;
        l->launches = grown(l->launches, (size_t)l->count * sizeof *l->launches, (size_t)l->room * sizeof *l->launches);
    }
    if (l->used + aligned > l->size) {
        l->size = 2 * (l->used + aligned);
        l->bytes = grown(l->bytes, l->used, l->size);
    }
    l->launches[l->count++] = (launch){ k, p, l->used, range };
    memset(l->bytes + l->used, 0, aligned);
    memcpy(l->bytes + l->used, args, size);
    l->used += aligned;
}

void loop_run_once(const loop *l)
{
    for (int i = 0; i < l->count; i++) {
        const launch *one = &l->launches[i];
        run_map(one->kernel, l->where, one->precision, l->bytes + one->at, one->range);
    }
}

static uint64_t digest_of(const loop *l, const int *going)
{
    uint64_t digest = digest64(DIGEST64_START, l->bytes, l->used);
    for (int i = 0; i < l->count; i++) {
        const launch *one = &l->launches[i];
        const int64_t words[] = { (int64_t)(intptr_t)one->kernel, one->precision, (int64_t)one->at };
        digest = digest64(digest, words, sizeof words);
        digest = digest64(digest, &one->range, sizeof one->range);
    }
    return digest64(digest, &going, sizeof going);
}

/* The graph of these launches: one that is kept, or a new one in place of the oldest. */
static device_loop *graph_of(loop *l, const int *going)
{
    uint64_t digest = digest_of(l, going);
    for (int i = 0; i < KEPT; i++)
        if (l->kept[i].run && l->kept[i].digest == digest)
            return l->kept[i].run;
    int i = l->next;
    l->next = (i + 1) % KEPT;
    if (l->kept[i].run)
        device_loop_free(l->kept[i].run);
    l->kept[i].digest = digest;
    l->kept[i].run = device_loop_begin(going, device_decides_loops());
    loop_run_once(l);
    device_loop_end(l->kept[i].run);
    return l->kept[i].run;
}

void loop_run(loop *l, const int *going)
{
    if (l->where == PLACE_GPU) {
        device_loop_run(graph_of(l, going));
        return;
    }
    do
        loop_run_once(l);
    while (*going);
}
