/* transport_nccl.c - a kernel packs the ghosts, NCCL sends them, and adds the sums (nccl_ranks.h). */
#include "src/base/memory.h"
#include "src/halo/ghost_messages.h"
#include "src/halo/nccl_ranks.h"
#include "src/halo/transport.h"

enum { FEW_SITES = 16384 };

static bool connect_nccl(void **state, lattice *l, bool is_demanded, failure *f)
{
    *state = nccl_ranks_create(l, is_demanded, f);
    return *state != NULL;
}

static void disconnect_nccl(void *state)
{
    nccl_ranks_free(state);
}

/* Packed sites travel through the staging memory of the lattice. */
static void send_packed(nccl_ranks *n, const field *f, ghost_level level)
{
    const ghost_messages m = ghost_messages_of(f, level);
    int count;
    char *packed = lattice_staging(f->lattice, PLACE_GPU, ghost_messages_bytes(&m));
    comm_shift *shift = ghost_messages_list(&m, &count, packed, NULL);
    ghost_messages_pack(&m, packed);
    nccl_ranks_exchange(n, shift, count);
    memory_free(shift);
}

static void exchange_by_nccl(void *state, const field *f, ghost_level level)
{
    nccl_ranks_barrier(state);
    send_packed(state, f, level);
}

static ghost_level level_of_hops(const field *f)
{
    return lattice_vector_ghosts(lattice_shape_of(f->lattice));
}

/* Allocates the staging memory for these fields, which a graph of hops cannot do. */
static void prepare_nccl(void *state, void **places, const field *f, int count)
{
    for (int i = 0; i < count; i++) {
        const ghost_messages m = ghost_messages_of(&f[i], level_of_hops(&f[i]));
        lattice_sent_sites(f[i].lattice, f[i].where);
        lattice_staging(f[i].lattice, PLACE_GPU, ghost_messages_bytes(&m));
    }
    places[0] = lattice_staging(f[0].lattice, PLACE_GPU, 0);
    nccl_ranks_barrier(state);
}

/* With regions: the interior during the exchange, then the boundary.  Else the exchange, then all sites; so too on at
 * most FEW_SITES, where launches take longer than they save. */
static void hop_by_nccl(void *state, const hop_launch *h)
{
    hop_launch launch = *h;
    if (range_size(h->range) <= FEW_SITES)
        launch.regions = NULL;
    hop_launch_begin(&launch);
    for (int i = 0; i < h->count; i++)
        send_packed(state, &h->fields[i], level_of_hops(&h->fields[i]));
    hop_launch_end(&launch);
}

static void sum_by_nccl(void *state, const rank_sum *s)
{
    nccl_ranks_sum(state, s->sum, s->batch);
}

static void begin_graph(void *state)
{
    nccl_ranks_graph_begin(state);
}

static void end_graph(void *state)
{
    nccl_ranks_graph_end(state);
}

const transport transport_nccl = {
    .by = "by NCCL", .version = nccl_ranks_version, .works = "each rank has a GPU",
    .cannot = "NCCL cannot be used", .lacks = "",
    .is_for_gpus = true, .iteration_seconds = 80e-6,
    .connect = connect_nccl, .disconnect = disconnect_nccl,
    .exchange = exchange_by_nccl, .prepare = prepare_nccl, .hop = hop_by_nccl, .sum = sum_by_nccl,
    .can_repeat = nccl_ranks_go_into_graphs, .host_repeats = true, .graph_begin = begin_graph, .graph_end = end_graph,
};
