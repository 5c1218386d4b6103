/* loop.c - steps that are repeated while a number says so. */
#include "src/halo/loop.h"

#include "gpu/device.h"
#include "gpu/device_loop.h"
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/base/progress_tick.h"
#include "src/halo/hop_launch.h"
#include "src/halo/rank_ways.h"
#include "src/lattice/batch_sums.h"

#include <string.h>

/* Bodies whose graph and persistent kernel are kept: the latest. */
enum { KEPT = 16 };
typedef struct {
    uint64_t digest;
    bool used, looked;                   /* looked: whether there is a persistent kernel is known */
    device_loop *graph;
    persistent *kernel;
} kept_body;

typedef enum { STEP_KERNEL, STEP_EXCHANGE, STEP_REDUCTION } step_kind;

typedef struct {
    step_kind kind;
    const map_kernel *kernel;            /* of STEP_KERNEL, with precision and range */
    precision precision;
    site_range range;
    bool in_regions;
    hop_regions regions;                 /* of the range, where `in_regions` */
    krylov_sum sum;                      /* of STEP_REDUCTION, with ranks */
    const comm *ranks;
    size_t at, size;                     /* of its arguments in `bytes`; STEP_EXCHANGE: a field */
} step;

struct loop {
    place where;
    int count, room;
    step *steps;
    char *bytes;
    size_t used, size;
    kept_body kept[KEPT];
    int next;
    loop_way way;
    persistent_fn *kernel;               /* instead of Kiln's */
    bool persistent;                     /* the latest run was */
    peers *peers;                        /* the way of the exchanges (lattice/rank_ways.h); both NULL: none, or the */
    nccl_ranks *nccl;                    /* host */
    const void *staging;                 /* where NCCL's messages lie */
    field *exchanged;                    /* the fields of all exchanges */
    void **addresses;                    /* of the memory of these, [rank][exchange] (lattice/peers.h) */
    int exchanges;
};

loop *loop_create(place where)
{
    loop *l = memory_alloc(sizeof *l, "a loop of kernels");
    l->where = where;
    return l;
}

static void body_free(kept_body *b)
{
    if (b->graph)
        device_loop_free(b->graph);
    persistent_free(b->kernel);
    *b = (kept_body){ 0 };
}

void loop_free(loop *l)
{
    if (!l)
        return;
    for (int i = 0; i < KEPT; i++)
        body_free(&l->kept[i]);
    memory_free(l->exchanged);
    memory_free(l->addresses);
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
    s.size = size;
    l->steps[l->count++] = s;
    memset(l->bytes + l->used, 0, aligned);
    memcpy(l->bytes + l->used, args, size);
    l->used += aligned;
}

void loop_add(loop *l, const map_kernel *k, precision p, const void *args, size_t size, site_range range)
{
    add_step(l, (step){ .kind = STEP_KERNEL, .kernel = k, .precision = p, .range = range }, args, size);
}

void loop_add_hop(loop *l, const map_kernel *k, const field *out, int reach, const void *args, size_t size)
{
    step s = { .kind = STEP_KERNEL, .kernel = k, .precision = out->precision,
               .range = lattice_range(out->lattice, out->on) };
    s.in_regions = out->on != ON_ALL && k->tuned[out->precision]
                   && hop_regions_of(&s.regions, lattice_shape_of(out->lattice), out->on == ON_ODD, reach);
    add_step(l, s, args, size);
}

void loop_add_exchange(loop *l, const field *f)
{
    if (!lattice_is_whole(f->lattice))
        add_step(l, (step){ .kind = STEP_EXCHANGE }, f, sizeof *f);
}

void loop_add_reduction(loop *l, krylov_sum sum, const krylov_batch *b, const comm *ranks)
{
    add_step(l, (step){ .kind = STEP_REDUCTION, .sum = sum, .ranks = ranks }, b, sizeof *b);
}

static size_t address_bytes(const loop *l)
{
    const comm *ranks = lattice_comm(l->exchanged[0].lattice);
    return (size_t)(l->exchanges * comm_size(ranks)) * sizeof *l->addresses;
}

/* The ranks of the exchanges meet, and tell each other where the fields are. */
static void meet(loop *l)
{
    l->exchanges = 0;
    for (int i = 0; i < l->count; i++)
        l->exchanges += l->steps[i].kind == STEP_EXCHANGE;
    l->peers = NULL;
    l->nccl = NULL;
    if (l->exchanges == 0 || l->where == PLACE_CPU)
        return;
    memory_free(l->exchanged);
    memory_free(l->addresses);
    l->exchanged = memory_alloc((size_t)l->exchanges * sizeof *l->exchanged, "fields of a loop");
    for (int i = 0, n = 0; i < l->count; i++)
        if (l->steps[i].kind == STEP_EXCHANGE)
            memcpy(&l->exchanged[n++], l->bytes + l->steps[i].at, sizeof *l->exchanged);
    lattice *of = l->exchanged[0].lattice;
    l->addresses = memory_alloc(address_bytes(l), "addresses of fields");
    l->peers = rank_ways_of(of)->peers;
    l->nccl = rank_ways_of(of)->nccl;
    if (l->peers)
        peers_meet(l->addresses, l->peers, l->exchanged, l->exchanges);
    if (l->nccl) {
        for (int i = 0; i < l->exchanges; i++)
            field_exchange_reserve(&l->exchanged[i], lattice_vector_ghosts(lattice_shape_of(of)));
        l->staging = lattice_staging(of, PLACE_GPU, 0);
        nccl_ranks_meet(l->nccl);
    }
}

static void run_range(const loop *l, const step *s, site_range range)
{
    run_map(s->kernel, l->where, s->precision, l->bytes + s->at, range);
}

static peer_fields fields_of(const loop *l, int first, int count)
{
    const field *f = &l->exchanged[first];
    return (peer_fields){ f, count, lattice_vector_ghosts(lattice_shape_of(f->lattice)), l->addresses + first,
                          l->exchanges };
}

/* The exchanges of fields first .. end - 1 between GPUs, and the kernel that they are for. */
static void run_with_exchanges(const loop *l, int first, int end, const step *s)
{
    const hop_launch hop = { l->where, s->kernel, s->precision, l->bytes + s->at, s->range,
                             s->in_regions ? &s->regions : NULL };
    if (end == first) {
        run_range(l, s, s->range);
    } else if (l->nccl) {
        hop_over_nccl(&hop, l->nccl, l->exchanged + first, end - first);
    } else {
        const peer_fields fields = fields_of(l, first, end - first);
        hop_over_peers(&hop, l->peers, &fields);
    }
}

static void run_steps(const loop *l)
{
    for (int i = 0, exchanged = 0, exchanges = 0; i < l->count; i++) {
        const step *s = &l->steps[i];
        const void *args = l->bytes + s->at;
        switch (s->kind) {
        case STEP_KERNEL:
            run_with_exchanges(l, exchanged, exchanges, s);
            exchanged = exchanges;
            break;
        case STEP_EXCHANGE:
            if (l->peers || l->nccl)
                exchanges++;                         /* with the kernel that follows */
            else
                field_exchange_hops(args);
            break;
        case STEP_REDUCTION:
            if (l->peers)
                peers_sum(l->peers, s->sum, args);
            else if (l->nccl)
                nccl_ranks_sum(l->nccl, s->sum, args);
            else
                batch_sum_on_host(l->where, s->sum, args, s->ranks);
            break;
        }
    }
}

void loop_run_once(loop *l)
{
    meet(l);
    run_steps(l);
}

static uint64_t digest_of(const loop *l, const int *going)
{
    uint64_t digest = digest64(DIGEST64_START, l->bytes, l->used);
    for (int i = 0; i < l->count; i++) {
        const step *s = &l->steps[i];
        const int64_t words[] = { s->kind, (int64_t)(intptr_t)s->kernel, s->sum, s->precision, (int64_t)s->at };
        digest = digest64(digest, words, sizeof words);
        digest = digest64(digest, &s->range, sizeof s->range);
        digest = digest64(digest, &s->regions, sizeof s->regions);
    }
    if (l->peers)
        digest = digest64(digest, l->addresses, address_bytes(l));
    if (l->nccl)
        digest = digest64(digest, &l->staging, sizeof l->staging);
    return digest64(digest, &going, sizeof going);
}

/* What is kept of this body; nothing yet, in place of the oldest, if it is new. */
static kept_body *body_of(loop *l, const int *going)
{
    const uint64_t digest = digest_of(l, going);
    for (int i = 0; i < KEPT; i++)
        if (l->kept[i].used && l->kept[i].digest == digest)
            return &l->kept[i];
    kept_body *b = &l->kept[l->next];
    l->next = (l->next + 1) % KEPT;
    body_free(b);
    b->digest = digest;
    b->used = true;
    return b;
}

static device_loop *graph_of(loop *l, kept_body *b, const int *going)
{
    if (!b->graph) {
        b->graph = device_loop_begin(going, device_decides_loops() && !l->nccl);
        run_steps(l);
        device_loop_end(b->graph);
    }
    return b->graph;
}

static void run_graph(loop *l, kept_body *b, const int *going)
{
    device_loop *graph = graph_of(l, b, going);
    if (l->nccl)
        nccl_ranks_graph_begin(l->nccl);
    device_loop_run(graph);
    if (l->nccl)
        nccl_ranks_graph_end(l->nccl);
}

/* The steps as one kernel, if all are launches that it has. */
static persistent *find_persistent(const loop *l, const int *going)
{
    map_launch *launches = memory_alloc((size_t)l->count * sizeof *launches, "launches of a loop");
    int kernels = 0;
    for (int i = 0; i < l->count; i++) {
        const step *s = &l->steps[i];
        kernels += s->kind == STEP_KERNEL;
        launches[i] = (map_launch){ s->kernel, s->precision, l->bytes + s->at, s->size, s->range };
    }
    persistent *p = kernels == l->count ? persistent_create(launches, l->count, going, l->kernel) : NULL;
    memory_free(launches);
    return p;
}

static bool run_persistent(loop *l, kept_body *b, const int *going)
{
    if (l->way == LOOP_GRAPH || l->count == 0
        || (l->way == LOOP_FASTER && !persistent_is_faster(range_size(l->steps[0].range))))
        return false;
    if (!b->looked)
        b->kernel = find_persistent(l, going);
    b->looked = true;
    return b->kernel && persistent_run(b->kernel);
}

/* Whether ranks tell each other something without the host. */
static bool tells_on_gpu(const loop *l)
{
    return device_decides_loops() && (l->peers || (l->nccl && nccl_ranks_go_into_graphs()));
}

/* Whether steps need the host: ranks tell each other. */
static bool needs_host(const loop *l)
{
    bool told = false;
    for (int i = 0; i < l->count; i++)
        told |= l->steps[i].kind == STEP_EXCHANGE
                || (l->steps[i].kind == STEP_REDUCTION && comm_size(l->steps[i].ranks) > 1);
    return l->where == PLACE_CPU || (told && !tells_on_gpu(l));
}

static bool is_going(const loop *l, const int *going)
{
    int goes = 0;
    if (l->where == PLACE_CPU)
        return *going;
    device_copy_from(&goes, going, sizeof goes);
    return goes;
}

void loop_run(loop *l, const int *going)
{
    meet(l);
    l->persistent = false;
    if (!needs_host(l)) {
        kept_body *b = body_of(l, going);
        l->persistent = run_persistent(l, b, going);
        if (!l->persistent)
            run_graph(l, b, going);
    } else
        do {
            run_steps(l);
            progress_tick();
        } while (is_going(l, going));
    if (l->peers)
        peers_check(l->peers);
}

void loop_set_way(loop *l, loop_way way)
{
    l->way = way;
}

bool loop_was_persistent(const loop *l)
{
    return l->persistent;
}

void loop_set_kernel(loop *l, persistent_fn *kernel)
{
    l->kernel = kernel;
}
