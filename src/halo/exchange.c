/* exchange.c - pack the sites that others read, exchange, and put what arrives into ghosts.
 *
 * Packed sites lie in memory as the ghosts of the receiver do: [parity][slab][box][tile].  A box of a slab is one
 * message, which arrives where it belongs. */
#include "src/halo/exchange.h"

#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/halo/rank_ways.h"
#include "src/kernels/ghost_args.h"
#include "src/lattice/kernels.h"

#include <assert.h>
#include <stdint.h>

MAP_KERNEL_SINGLE(ghost_pack);

typedef struct {
    const field *f;
    const ghost_boxes *ghosts;
    ghost_level level;
    int boxes;                     /* up to the level */
    int sites;                     /* ghosts of one parity up to the level */
    int first_parity, parities;
    size_t site_bytes;
} exchange_plan;

static exchange_plan plan_of(const field *f, ghost_level level)
{
    exchange_plan x = { .f = f, .ghosts = lattice_ghosts(f->lattice), .level = level, .first_parity = f->on == ON_ODD,
                        .parities = f->on == ON_ALL ? 2 : 1,
                        .site_bytes = (size_t)f->reals * precision_bytes(f->precision) };
    while (x.boxes < x.ghosts->count && x.ghosts->box[x.boxes].level <= level)
        x.boxes++;
    x.sites = x.ghosts->sites[level];
    return x;
}

/* The bytes of a box of a slab begin here in packed memory; `number`: of the parity, counted from first_parity. */
static size_t packed_at(const exchange_plan *x, int number, int slab, const ghost_box *b)
{
    return ((size_t)(number * x->f->slabs + slab) * (size_t)x->sites + (size_t)b->at) * x->site_bytes;
}

static void pack(const exchange_plan *x, char *packed)
{
    const field *f = x->f;
    const int *sites = lattice_sent_sites(f->lattice, f->where);
    const int site_words = (int)(x->site_bytes / sizeof(uint32_t)), words = field_record_words(f);
    for (int i = 0; i < x->parities; i++) {
        const ghost_pack_args args = {
            .sites = sites + (size_t)(x->first_parity + i) * (size_t)x->ghosts->sites[GHOSTS_EVERY],
            .from = field_view_of(f), .to = packed + packed_at(x, i, 0, &x->ghosts->box[0]),
            .records = site_words / words, .words = words, .slab_words = x->sites * site_words };
        const site_range entries = { .first = 0, .sites = x->sites, .parts = f->slabs, .step = 0, .slab_sites = 1 };
        run_map(&ghost_pack, f->where, PRECISION_SINGLE, &args, entries);
    }
}

static char *ghost_memory(const exchange_plan *x, int parity, int slab, const ghost_box *b)
{
    const int index = ghost_index(lattice_shape_of(x->f->lattice), b, parity, 0);
    return (char *)x->f->data + (size_t)field_place_of(x->f, slab, index) * x->site_bytes;
}

/* The messages.  They arrive in the ghosts; or, if `arrived` is not NULL, in that memory, at the same places as in
 * `packed`. */
static int list_shifts(comm_shift *shift, const exchange_plan *x, const char *packed, char *arrived)
{
    const lattice_shape *shape = lattice_shape_of(x->f->lattice);
    int n = 0;
    for (int i = 0; i < x->boxes; i++) {
        const ghost_box *b = &x->ghosts->box[i];
        if (!ghost_is_read(b, x->level))
            continue;
        const int from = ghost_owner(shape, b), to = ghost_receiver(shape, b);
        const size_t bytes = (size_t)b->padded * x->site_bytes;
        for (int parity = 0; parity < x->parities; parity++)
            for (int slab = 0; slab < x->f->slabs; slab++) {
                const size_t at = packed_at(x, parity, slab, b);
                shift[n++] = (comm_shift){ .to = to, .from = from, .out = packed + at,
                                           .in = arrived ? arrived + at
                                                         : ghost_memory(x, x->first_parity + parity, slab, b),
                                           .out_bytes = bytes, .in_bytes = bytes };
            }
    }
    return n;
}

/* From the GPU and to it by way of the host. */
static void exchange_staged(const exchange_plan *x, comm_shift *shift, size_t bytes)
{
    lattice *l = x->f->lattice;
    char *there = lattice_staging(l, PLACE_GPU, bytes), *packed = lattice_staging(l, PLACE_CPU, 2 * bytes);
    char *arrived = packed + bytes;
    pack(x, there);
    device_copy_from(packed, there, bytes);
    comm_exchange(lattice_comm(l), shift, list_shifts(shift, x, packed, arrived));
    for (int i = 0; i < x->boxes; i++)
        for (int parity = 0; parity < x->parities && ghost_is_read(&x->ghosts->box[i], x->level); parity++)
            for (int slab = 0; slab < x->f->slabs; slab++) {
                const ghost_box *b = &x->ghosts->box[i];
                device_copy_to(ghost_memory(x, x->first_parity + parity, slab, b),
                               arrived + packed_at(x, parity, slab, b), (size_t)b->padded * x->site_bytes);
            }
}

static void exchange_with_peers(peers *p, const field *f, ghost_level level)
{
    void *addresses[PEERS_MAX];
    peers_meet(addresses, p, f, 1);
    const peer_fields fields = { f, 1, level, addresses, 1 };
    peers_exchange(p, &fields);
}

static size_t bytes_of(const exchange_plan *x)
{
    return (size_t)(x->parities * x->f->slabs) * (size_t)x->sites * x->site_bytes;
}

static comm_shift *room_for_shifts(const exchange_plan *x)
{
    return memory_alloc((size_t)(x->boxes * x->parities * x->f->slabs) * sizeof(comm_shift), "messages of ghosts");
}

void field_exchange_reserve(const field *f, ghost_level level)
{
    const exchange_plan x = plan_of(f, level);
    lattice_sent_sites(f->lattice, f->where);
    lattice_staging(f->lattice, PLACE_GPU, bytes_of(&x));
}

void field_exchange_nccl(const field *f, ghost_level level, nccl_ranks *n)
{
    const exchange_plan x = plan_of(f, level);
    comm_shift *shift = room_for_shifts(&x);
    char *packed = lattice_staging(f->lattice, PLACE_GPU, bytes_of(&x));
    pack(&x, packed);
    nccl_ranks_exchange(n, shift, list_shifts(shift, &x, packed, NULL));
    memory_free(shift);
}

static void exchange_over_host(const exchange_plan *x)
{
    comm_shift *shift = room_for_shifts(x);
    lattice *l = x->f->lattice;
    const size_t bytes = bytes_of(x);
    if (x->f->where == PLACE_GPU) {
        exchange_staged(x, shift, bytes);
    } else {
        char *packed = lattice_staging(l, PLACE_CPU, bytes);
        pack(x, packed);
        comm_exchange(lattice_comm(l), shift, list_shifts(shift, x, packed, NULL));
    }
    memory_free(shift);
}

void field_exchange(const field *f, ghost_level level)
{
    const exchange_plan x = plan_of(f, level);
    const rank_ways *ways = x.boxes > 0 && f->where == PLACE_GPU ? rank_ways_of(f->lattice) : NULL;
    if (x.boxes == 0)
        return;
    assert(level <= f->ghosts);
    if (ways && ways->peers) {
        exchange_with_peers(ways->peers, f, level);
    } else if (ways && ways->nccl) {
        nccl_ranks_meet(ways->nccl);
        field_exchange_nccl(f, level, ways->nccl);
    } else {
        exchange_over_host(&x);
    }
}

size_t field_exchange_bytes(const lattice_shape *shape, precision p, int reals, int slabs, int parities,
                            ghost_level level)
{
    return (size_t)(parities * slabs) * (size_t)ghost_sites(shape, level) * (size_t)reals * precision_bytes(p);
}

void field_exchange_hops(const field *f)
{
    field_exchange(f, lattice_vector_ghosts(lattice_shape_of(f->lattice)));
}
