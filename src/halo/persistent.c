/* persistent.c - the table of persistent kernels, with the launches that each of them can repeat. */
#include "src/halo/persistent.h"

#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/lattice/place_memory.h"

#include <stdlib.h>
#include <string.h>

/* A persistent kernel replaces the graph up to this number of sites of a launch: one site for each thread of 132
 * multiprocessors with 256 threads.  docs/performance.md has the times for more and for fewer sites. */
enum { SITES_MOST = 132 * 256 };

/* Kernels of one format and precision: `links` and `tail` are parts of the names of kernels of hops and of vectors. */
#define VECTORS_DECLARED(tail)                                                                                         \
    site_map_fn vector_batch_residual##tail, vector_batch_direction##tail, vector_batch_gather##tail,                  \
        vector_shifts_update##tail, vector_shifts_step_group##tail
#define HOPS_DECLARED(links, tail)                                                                                     \
    site_map_fn staggered_batch_hop_1##links##tail, staggered_batch_normal_1##links##tail;                             \
    persistent_fn staggered_persistent##links##tail
#define DECLARED(tail)                                                                                                 \
    VECTORS_DECLARED(tail);                                                                                            \
    HOPS_DECLARED(, tail);                                                                                             \
    HOPS_DECLARED(_13, tail)

DECLARED(_gpu_f);
DECLARED(_half_gpu_f);
DECLARED(_int20_gpu_f);
DECLARED(_gpu_d);
DECLARED(_int30_gpu_d);

#define ROW(p, links, tail)                                                                                            \
    { p, GPU_VARIANT(staggered_persistent##links##tail),                                                               \
      { [PERSISTENT_HOP] = GPU_VARIANT(staggered_batch_hop_1##links##tail),                                            \
        [PERSISTENT_NORMAL] = GPU_VARIANT(staggered_batch_normal_1##links##tail),                                      \
        [PERSISTENT_RESIDUAL] = GPU_VARIANT(vector_batch_residual##tail),                                              \
        [PERSISTENT_DIRECTION] = GPU_VARIANT(vector_batch_direction##tail),                                            \
        [PERSISTENT_GATHER] = GPU_VARIANT(vector_batch_gather##tail),                                                  \
        [PERSISTENT_SHIFTS] = GPU_VARIANT(vector_shifts_update##tail),                                                 \
        [PERSISTENT_STEP_GROUP] = GPU_VARIANT(vector_shifts_step_group##tail) } }
#define ROWS(p, tail) ROW(p, , tail), ROW(p, _13, tail)

/* A persistent kernel, with the portable kernels that it contains. */
typedef struct { precision precision; persistent_fn *run; site_map_fn *step[PERSISTENT_KINDS]; } persistent_row;
static const persistent_row rows[] = {
    ROWS(PRECISION_SINGLE, _gpu_f), ROWS(PRECISION_SINGLE, _half_gpu_f), ROWS(PRECISION_SINGLE, _int20_gpu_f),
    ROWS(PRECISION_DOUBLE, _gpu_d), ROWS(PRECISION_DOUBLE, _int30_gpu_d),
};
enum { ROWS_OF_TABLE = sizeof rows / sizeof *rows };

struct persistent {
    persistent_fn *run;
    persistent_loop loop;
    batch_hop_args hop;                  /* of the first hop, and its sites */
    site_range range;
    peer_pack_args *exchange;            /* of all hops, on the GPU; or NULL */
};

bool persistent_is_faster(int sites)
{
    const char *asked = getenv("KILN_LOOPS");
    return asked ? strcmp(asked, "persistent") == 0 : sites <= SITES_MOST;
}

/* The kind of a launch; PERSISTENT_KINDS if the row does not have it. */
static persistent_kind kind_of(const persistent_row *row, const map_launch *launch)
{
    int kind = 0;
    while (kind < PERSISTENT_KINDS
           && (launch->precision != row->precision
               || launch->kernel->portable[PLACE_GPU][row->precision] != row->step[kind]))
        kind++;
    return (persistent_kind)kind;
}

/* The kernel that has all launches.  NULL if there is none, or if the launches differ in parity or number of sites. */
static const persistent_row *row_of(const map_launch *launches, int count)
{
    for (const persistent_row *row = rows; row < rows + ROWS_OF_TABLE; row++) {
        int found = 0;
        while (found < count && kind_of(row, &launches[found]) < PERSISTENT_KINDS && launches[found].range.parts == 1
               && launches[found].range.sites == launches[0].range.sites)
            found++;
        if (count > 0 && found == count)
            return row;
    }
    return NULL;
}

static size_t aligned(size_t bytes)
{
    return (bytes + PERSISTENT_ALIGNED - 1) / PERSISTENT_ALIGNED * PERSISTENT_ALIGNED;
}

static size_t program_bytes(const map_launch *launches, int count)
{
    size_t bytes = aligned((size_t)count * sizeof(persistent_step));
    for (int i = 0; i < count; i++)
        bytes += aligned(launches[i].size);
    return bytes;
}

static void write_program(char *program, const persistent_row *row, const map_launch *launches, int count)
{
    persistent_step *step = (persistent_step *)program;
    size_t at = aligned((size_t)count * sizeof *step);
    for (int i = 0, exchanges = 0; i < count; i++) {
        step[i] = (persistent_step){ kind_of(row, &launches[i]), (int)at, launches[i].range.first,
                                     launches[i].exchange ? ++exchanges : 0 };
        memcpy(program + at, launches[i].args, launches[i].size);
        at += aligned(launches[i].size);
    }
}

/* Copies the exchanges of all launches to the GPU, in their order.  NULL if there is none. */
static peer_pack_args *write_exchanges(const map_launch *launches, int count)
{
    peer_pack_args *all = memory_alloc((size_t)count * sizeof *all, "exchanges of a persistent kernel"), *there = NULL;
    int exchanges = 0;
    for (int i = 0; i < count; i++)
        if (launches[i].exchange)
            memcpy(&all[exchanges++], launches[i].exchange, sizeof *all);
    if (exchanges > 0) {
        there = place_alloc(PLACE_GPU, (size_t)exchanges * sizeof *there, "exchanges of a persistent kernel");
        device_copy_to(there, all, (size_t)exchanges * sizeof *there);
    }
    memory_free(all);
    return there;
}

persistent *persistent_create(const persistent_body *body, persistent_fn *kernel)
{
    const char *what = "a persistent kernel";
    const map_launch *launches = body->launch;
    const int count = body->count;
    const persistent_row *row = row_of(launches, count);
    int hop = 0;
    while (row && hop < count && kind_of(row, &launches[hop]) != PERSISTENT_HOP)
        hop++;
    if (!row || hop == count || program_bytes(launches, count) > PERSISTENT_BYTES)
        return NULL;
    persistent *p = memory_alloc(sizeof *p, what);
    p->run = kernel ? kernel : row->run;
    p->range = launches[hop].range;
    memcpy(&p->hop, launches[hop].args, sizeof p->hop);
    p->loop.going = body->going;
    p->loop.gate = &p->hop.b.state->gate;
    p->loop.count = count;
    p->loop.sites = p->range.sites;
    write_program(p->loop.program, row, launches, count);
    p->exchange = write_exchanges(launches, count);
    p->loop.exchange = p->exchange;
    if (body->ranks)
        p->loop.group = *body->ranks;
    return p;
}

void persistent_free(persistent *p)
{
    if (p)
        place_free(PLACE_GPU, p->exchange);
    memory_free(p);
}

bool persistent_run(const persistent *p)
{
    device_zero(p->loop.gate, sizeof *p->loop.gate);
    const bool runs = p->run(&p->loop, &p->hop, p->range, device_stream());
    if (runs)
        device_check_launch("staggered_persistent");
    return runs;
}
