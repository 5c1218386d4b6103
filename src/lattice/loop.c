/* loop.c - steps that are repeated while a number says so. */
#include "src/lattice/loop.h"

#include "gpu/device.h"
#include "gpu/device_loop.h"
#include "src/base/checksum.h"
#include "src/base/memory.h"

#include <string.h>

krylov_finish_fn krylov_curvature_finish_cpu_d, krylov_residual_finish_cpu_d;
krylov_finish_fn krylov_curvature_finish_gpu_d, krylov_residual_finish_gpu_d;

/* Graphs that are kept: the latest. */
enum { KEPT = 16 };

typedef enum { STEP_KERNEL, STEP_REDUCTION } step_kind;

typedef struct {
    step_kind kind;
    const map_kernel *kernel;            /* of STEP_KERNEL, with precision and range */
    precision precision;
    site_range range;
    krylov_sum sum;                      /* of STEP_REDUCTION */
    size_t at;                           /* of its arguments in `bytes` */
} step;

struct loop {
    place where;
    int count, room;
    step *steps;
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
    memory_free(l->steps);
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

static void add_step(loop *l, step s, const void *args, size_t size)
{
    const size_t aligned = (size + 63) / 64 * 64;
    if (l->count == l->room) {
        l->room = 2 * l->room + 16;
        l->steps = grown(l->steps, (size_t)l->count * sizeof *l->steps, (size_t)l->room * sizeof *l->steps);
    }
    if (l->used + aligned > l->size) {
        l->size = 2 * (l->used + aligned);
        l->bytes = grown(l->bytes, l->used, l->size);
    }
    s.at = l->used;
    l->steps[l->count++] = s;
    memset(l->bytes + l->used, 0, aligned);
    memcpy(l->bytes + l->used, args, size);
    l->used += aligned;
}

void loop_add(loop *l, const map_kernel *k, precision p, const void *args, size_t size, site_range range)
{
    add_step(l, (step){ .kind = STEP_KERNEL, .kernel = k, .precision = p, .range = range }, args, size);
}

void loop_add_reduction(loop *l, krylov_sum sum, const krylov_batch *b)
{
    add_step(l, (step){ .kind = STEP_REDUCTION, .sum = sum }, b, sizeof *b);
}

/* The scalars of a batch.  One process: its sums are complete as they are. */
static void finish(place where, krylov_sum sum, const krylov_batch *b)
{
    static krylov_finish_fn *const finishes[PLACES][KRYLOV_SUM_KINDS] = {
        { krylov_curvature_finish_cpu_d, krylov_residual_finish_cpu_d },
        { GPU_VARIANT(krylov_curvature_finish_gpu_d), GPU_VARIANT(krylov_residual_finish_gpu_d) },
    };
    finishes[where][sum](b, device_stream());
    if (where == PLACE_GPU)
        device_check_launch("krylov_finish");
}

void loop_run_once(const loop *l)
{
    for (int i = 0; i < l->count; i++) {
        const step *s = &l->steps[i];
        const void *args = l->bytes + s->at;
        switch (s->kind) {
        case STEP_KERNEL:
            run_map(s->kernel, l->where, s->precision, args, s->range);
            break;
        case STEP_REDUCTION:
            finish(l->where, s->sum, args);
            break;
        }
    }
}

static uint64_t digest_of(const loop *l, const int *going)
{
    uint64_t digest = digest64(DIGEST64_START, l->bytes, l->used);
    for (int i = 0; i < l->count; i++) {
        const step *s = &l->steps[i];
        const int64_t words[] = { s->kind, (int64_t)(intptr_t)s->kernel, s->sum, s->precision, (int64_t)s->at };
        digest = digest64(digest, words, sizeof words);
        digest = digest64(digest, &s->range, sizeof s->range);
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
