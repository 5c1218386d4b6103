/* loop.c - a list of steps that is repeated while a flag is set. */
#include "src/halo/loop.h"

#include "gpu/device.h"
#include "gpu/device_loop.h"
#include "src/base/checksum.h"
#include "src/base/memory.h"
#include "src/base/progress_tick.h"
#include "src/halo/connection.h"

#include <string.h>

/* Number of recent bodies whose graph and persistent kernel are kept. */
enum { KEPT = 16 };
typedef struct {
    uint64_t digest;
    bool used, searched;                 /* searched: find_persistent has been called for this body */
    device_loop *graph;
    persistent *kernel;
} kept_body;

typedef enum { STEP_KERNEL, STEP_REDUCTION } step_kind;

typedef struct {
    step_kind kind;
    const map_kernel *kernel;            /* of STEP_KERNEL, with precision and range */
    precision precision;
    site_range range;
    int reach;                           /* see hop_launch.h */
    bool in_regions;
    hop_regions regions;                 /* of the range, where `in_regions` */
    int first_field, fields;             /* exchanged before the kernel: part of `fields` of the loop */
    krylov_sum sum;                      /* of STEP_REDUCTION, with ranks */
    const comm *ranks;
    size_t at, size;                     /* of the arguments, in `bytes` of the loop */
} step;

struct loop {
    place where;
    int count, capacity;
    step *steps;
    char *bytes;
    size_t used, size;
    kept_body kept[KEPT];
    int next;
    loop_way way;
    persistent_fn *kernel;               /* instead of Kiln's */
    bool persistent;                     /* the latest run used a persistent kernel */
    field *fields;                       /* of the exchanges of all steps */
    int exchanged, field_capacity;       /* the number of these fields, and for how many there is memory */
    const connection *ranks;             /* the transport of the latest run */
    void **places;                       /* [rank][field]: addresses for launches (transport.h) */
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
    memory_free(l->fields);
    memory_free(l->places);
    memory_free(l->steps);
    memory_free(l->bytes);
    memory_free(l);
}

void loop_clear(loop *l)
{
    l->count = 0;
    l->used = 0;
    l->exchanged = 0;
}

/* A larger copy of a block, whose first `used` bytes are kept; frees the block. */
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
    if (l->count == l->capacity) {
        l->capacity = 2 * l->capacity + 16;
        l->steps = grown(l->steps, (size_t)l->count * sizeof *l->steps, (size_t)l->capacity * sizeof *l->steps);
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

static void add_fields(loop *l, step *s, vec *const *in, int count)
{
    if (l->exchanged + count > l->field_capacity) {
        l->field_capacity = 2 * (l->exchanged + count);
        l->fields = grown(l->fields, (size_t)l->exchanged * sizeof *l->fields,
                          (size_t)l->field_capacity * sizeof *l->fields);
    }
    s->first_field = l->exchanged;
    s->fields = count;
    for (int n = 0; n < count; n++)
        memcpy(&l->fields[l->exchanged++], &in[n]->f, sizeof *l->fields);
}

void loop_add_hop(loop *l, const loop_hop *h, const void *args, size_t size)
{
    const field *f = &h->out->f;
    step s = { .kind = STEP_KERNEL, .kernel = h->kernel, .precision = f->precision,
               .range = lattice_range(f->lattice, f->on) };
    s.reach = f->on != ON_ALL && h->kernel->tuned[f->precision] ? h->reach : 0;
    s.in_regions = s.reach > 0
                   && hop_regions_of(&s.regions, lattice_shape_of(f->lattice), f->on == ON_ODD, s.reach);
    if (!lattice_is_whole(f->lattice))
        add_fields(l, &s, h->in, h->count);
    add_step(l, s, args, size);
}

void loop_add_reduction(loop *l, krylov_sum sum, const krylov_batch *b, const comm *ranks)
{
    add_step(l, (step){ .kind = STEP_REDUCTION, .sum = sum, .ranks = ranks }, b, sizeof *b);
}

static size_t place_bytes(const loop *l)
{
    return (size_t)(l->exchanged * comm_size(lattice_comm(l->fields[0].lattice))) * sizeof *l->places;
}

/* Whether steps exchange fields between GPUs: launches then contain addresses on other ranks (transport.h). */
static bool has_places(const loop *l)
{
    return l->exchanged > 0 && l->where == PLACE_GPU;
}

static void prepare_hops(loop *l)
{
    l->ranks = has_places(l) ? connection_of(l->fields[0].lattice, l->where) : connection_of_host();
    if (!has_places(l))
        return;
    memory_free(l->places);
    l->places = memory_alloc(place_bytes(l), "addresses of fields");
    l->ranks->by->prepare(l->ranks->state, l->places, l->fields, l->exchanged);
}

static hop_launch hop_of(const loop *l, const step *s)
{
    void *const *places = l->places ? l->places + s->first_field : NULL;
    return (hop_launch){ .where = l->where, .kernel = s->kernel, .precision = s->precision, .args = l->bytes + s->at,
                         .range = s->range, .reach = s->reach, .regions = s->in_regions ? &s->regions : NULL,
                         .fields = l->fields + s->first_field, .count = s->fields,
                         .places = places, .stride = l->exchanged };
}

/* A kernel, and before it the exchange of its fields. */
static void run_kernel(const loop *l, const step *s)
{
    const hop_launch h = hop_of(l, s);
    if (s->fields > 0)
        l->ranks->by->hop(l->ranks->state, &h);
    else
        hop_launch_run(&h);
}

static void reduce(const loop *l, const step *s)
{
    const rank_sum sum = { l->where, s->sum, (const krylov_batch *)(l->bytes + s->at), s->ranks };
    l->ranks->by->sum(l->ranks->state, &sum);
}

static void run_steps(const loop *l)
{
    for (int i = 0; i < l->count; i++)
        if (l->steps[i].kind == STEP_KERNEL)
            run_kernel(l, &l->steps[i]);
        else
            reduce(l, &l->steps[i]);
}

void loop_run_once(loop *l)
{
    prepare_hops(l);
    run_steps(l);
}

static uint64_t digest_of(const loop *l, const int *going)
{
    uint64_t digest = digest64(DIGEST64_START, l->bytes, l->used);
    for (int i = 0; i < l->count; i++) {
        const step *s = &l->steps[i];
        const int64_t words[] = { s->kind, (int64_t)(intptr_t)s->kernel, s->sum, s->precision, (int64_t)s->at,
                                  s->fields };
        digest = digest64(digest, words, sizeof words);
        digest = digest64(digest, &s->range, sizeof s->range);
        digest = digest64(digest, &s->regions, sizeof s->regions);
    }
    if (l->exchanged > 0)
        digest = digest64(digest, l->fields, (size_t)l->exchanged * sizeof *l->fields);
    if (has_places(l))
        digest = digest64(digest, l->places, place_bytes(l));
    return digest64(digest, &going, sizeof going);
}

/* The kept entry of this body; a new body replaces the oldest entry. */
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
        b->graph = device_loop_begin(going, device_decides_loops() && !l->ranks->by->host_repeats);
        run_steps(l);
        device_loop_end(b->graph);
    }
    return b->graph;
}

static void run_graph(loop *l, kept_body *b, const int *going)
{
    const transport *t = l->ranks->by;
    device_loop *graph = graph_of(l, b, going);
    if (t->graph_begin)
        t->graph_begin(l->ranks->state);
    device_loop_run(graph);
    if (t->graph_end)
        t->graph_end(l->ranks->state);
}

/* Whether steps exchange fields or add sums over ranks. */
static bool needs_ranks(const loop *l)
{
    bool needs = false;
    for (int i = 0; i < l->count; i++)
        needs |= l->steps[i].fields > 0
                 || (l->steps[i].kind == STEP_REDUCTION && comm_size(l->steps[i].ranks) > 1);
    return needs;
}

/* Whether steps need the host, because this transport cannot exchange within a graph. */
static bool needs_host(const loop *l)
{
    const transport *t = l->ranks->by;
    return l->where == PLACE_CPU
           || (needs_ranks(l) && !(device_decides_loops() && t->can_repeat && t->can_repeat()));
}

/* The launches of the steps for a persistent kernel, which does the reductions itself.  Returns their number. */
static int list_launches(const loop *l, map_launch *launches, peer_pack_args *exchanges)
{
    int count = 0;
    for (int i = 0; i < l->count; i++) {
        const step *s = &l->steps[i];
        const hop_launch h = hop_of(l, s);
        if (s->kind != STEP_KERNEL)
            continue;
        if (s->fields > 0)
            l->ranks->by->exchange_inside(l->ranks->state, &h, &exchanges[count]);
        launches[count] = (map_launch){ s->kernel, s->precision, l->bytes + s->at, s->size, s->range,
                                        s->fields > 0 ? &exchanges[count] : NULL };
        count++;
    }
    return count;
}

/* The persistent kernel with all of these steps, exchanges and sums; NULL if there is none. */
static persistent *find_persistent(const loop *l, const int *going)
{
    const transport *t = l->ranks->by;
    const peer_group *ranks = t->group ? t->group(l->ranks->state) : NULL;
    if (!ranks && needs_ranks(l))
        return NULL;
    map_launch *launches = memory_alloc((size_t)l->count * sizeof *launches, "launches of a loop");
    peer_pack_args *exchanges = memory_alloc((size_t)l->count * sizeof *exchanges, "exchanges of a loop");
    const persistent_body body = { launches, list_launches(l, launches, exchanges), going, ranks };
    persistent *p = persistent_create(&body, l->kernel);
    memory_free(exchanges);
    memory_free(launches);
    return p;
}

static bool run_persistent(loop *l, kept_body *b, const int *going)
{
    if (l->way == LOOP_GRAPH || l->count == 0
        || (l->way == LOOP_FASTER && !persistent_is_faster(range_size(l->steps[0].range))))
        return false;
    if (!b->searched)
        b->kernel = find_persistent(l, going);
    b->searched = true;
    return b->kernel && persistent_run(b->kernel);
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
    prepare_hops(l);
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
    if (l->ranks->by->check)
        l->ranks->by->check(l->ranks->state);
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
