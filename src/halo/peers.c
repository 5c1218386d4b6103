/* peers.c - tests whether GPUs reach each other's memory, and prepares the arguments of the kernels. */
#include "src/halo/peers.h"

#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/comm/gpu_of_rank.h"
#include "src/halo/peer_memory.h"
#include "src/halo/peer_pieces.h"
#include "src/lattice/kernels.h"
#include "src/lattice/place_memory.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

peer_greet_fn peer_greet_gpu;
peer_pack_fn peer_pack_gpu;
peer_wait_fn peer_wait_gpu;
peer_sum_fn peer_sum_gpu;
static peer_greet_fn *const greet_ranks = GPU_VARIANT(peer_greet_gpu);
static peer_pack_fn *const pack = GPU_VARIANT(peer_pack_gpu);
static peer_wait_fn *const wait_for_ghosts = GPU_VARIANT(peer_wait_gpu);
static peer_sum_fn *const sum_over_ranks = GPU_VARIANT(peer_sum_gpu);

const char *const peers_part_names[] = { "all", "own", "signals", "none", NULL };
static _Thread_local peers_trial wanted;

/* A level of ghosts that no piece has. */
enum { NO_LEVEL = 30 };

/* Time limit of a wait: longer than the work of a rank between two barriers on the host. */
#define LIMIT_NS 30000000000ull

/* Lists of pieces of at most 1, 2, 4, 8 tiles, on the GPU. */
enum { PIECE_SIZES = 4 };
typedef struct { peer_piece *piece; int count[GHOST_LEVELS]; } piece_list;

struct peers {
    lattice *lattice;
    peer_memory *memory;
    bool is_neighbor[PEERS_MAX], is_shared;      /* is_shared: ranks share a GPU */
    bool alike;                                  /* all GPUs are of one model */
    peer_group group;
    peer_mailbox *mailbox;
    piece_list pieces[PIECE_SIZES];
    peers_trial trial;
    int64_t beside;                              /* number of hops with their exchange in the same launch */
};

/* ---- which GPUs reach each other */

/* Whether the GPUs of ranks that are threads reach each other's memory.  Processes open it instead (peer_memory.h). */
static bool can_reach(const comm *ranks, failure *f)
{
    const int mine = device_index();
    int device[PEERS_MAX];
    if (strcmp(comm_kind(ranks), "threads") != 0)
        return true;
    comm_gather_all(ranks, device, &mine, sizeof mine);
    const bool reaches = device_reach(device, comm_size(ranks), f);
    return comm_agree(ranks, reaches, f);
}

/* Whether peers can be tried; is_shared: whether ranks share a GPU. */
static bool is_possible(const comm *ranks, bool may_share, bool *is_shared, failure *f)
{
    const int size = comm_size(ranks);
    gpu_name mine = { .node = comm_node(ranks) }, all[PEERS_MAX];
    device_description d;
    if (size > PEERS_MAX)
        return fail(f, "there are %d ranks, more than %d", size, PEERS_MAX);
    if (!comm_agree(ranks, device_describe(device_index(), &d, f), f))
        return false;
    snprintf(mine.bus, sizeof mine.bus, "%s", d.bus);
    comm_gather_all(ranks, all, &mine, sizeof mine);
    for (int r = 1; r < size; r++)
        if (all[r].node != all[0].node)
            return fail(f, "%s and %s are on different machines", comm_rank_name(ranks, 0).s,
                        comm_rank_name(ranks, r).s);
    *is_shared = gpus_count(all, size) < size;
    if (*is_shared && !may_share)
        return fail(f, "%d ranks share %s", size, count_to_text(gpus_count(all, size), "GPU").s);
    if (*is_shared)
        device_share_with_ranks();
    return can_reach(ranks, f);
}

/* Whether all ranks choose the same launches, which depend on the resources of their GPUs. */
static bool gpus_are_alike(const comm *ranks)
{
    device_description mine, all[PEERS_MAX];
    failure why;
    require(device_describe(device_index(), &mine, &why), "%s", why.why);
    comm_gather_all(ranks, all, &mine, sizeof mine);
    for (int r = 1; r < comm_size(ranks); r++)
        if (strcmp(all[r].name, all[0].name) != 0 || all[r].multiprocessors != all[0].multiprocessors)
            return false;
    return true;
}

static void note_neighbors(peer_group *g, bool *is_neighbor, const lattice *l)
{
    const ghost_boxes *ghosts = lattice_ghosts(l);
    for (int i = 0; i < ghosts->count; i++) {
        const ghost_box *b = &ghosts->box[i];
        const int of[2] = { ghost_owner(lattice_shape_of(l), b), ghost_receiver(lattice_shape_of(l), b) };
        for (int k = 0; k < 2; k++) {
            bool known = false;
            for (int n = 0; n < g->neighbors; n++)
                known |= g->neighbor[n] == of[k];
            if (!known)
                g->neighbor[g->neighbors++] = of[k];
            is_neighbor[of[k]] = true;
        }
    }
}

static void *table_on_gpu(const void *host, size_t bytes)
{
    void *there = place_alloc(PLACE_GPU, bytes, "tables of ghosts");
    device_copy_to(there, host, bytes);
    return there;
}

static void list_pieces(peers *p, lattice *l)
{
    const ghost_boxes *ghosts = lattice_ghosts(l);
    const size_t bytes = (size_t)(ghosts->sites[GHOSTS_EVERY] / SITE_TILE) * sizeof(peer_piece);
    peer_piece *piece = memory_alloc(bytes, "tables of ghosts");
    for (int size = 0; size < PIECE_SIZES; size++) {
        piece_list *list = &p->pieces[size];
        peer_pieces_list(piece, list->count, 1 << size, lattice_sent_sites(l, PLACE_CPU), lattice_shape_of(l), ghosts);
        list->piece = table_on_gpu(piece, (size_t)list->count[GHOSTS_EVERY] * sizeof *piece);
    }
    memory_free(piece);
}

void peers_free(peers *p)
{
    if (!p)
        return;
    device_wait();
    comm_barrier(lattice_comm(p->lattice));
    place_free(PLACE_GPU, p->mailbox);
    place_free(PLACE_GPU, p->group.state);
    for (int size = 0; size < PIECE_SIZES; size++)
        place_free(PLACE_GPU, p->pieces[size].piece);
    peer_memory_end(p->memory);
    memory_free(p);
}

/* Gets the addresses of the mailboxes of all ranks. */
static bool exchange_mailboxes(peers *p, failure *f)
{
    const comm *ranks = lattice_comm(p->lattice);
    bool everyone[PEERS_MAX];
    void *mine = p->mailbox, *there[PEERS_MAX];
    memset(everyone, true, sizeof everyone);
    const bool ok = peer_memory_exchange(p->memory, there, (peer_blocks){ 1, &mine, everyone }, f);
    for (int r = 0; ok && r < comm_size(ranks); r++)
        p->group.mailbox[r] = there[r];
    return comm_agree(ranks, ok, f);
}

/* A kernel of every rank stores a word into every mailbox; then each rank checks the words in its own mailbox. */
static bool greet(peers *p, failure *f)
{
    const comm *ranks = lattice_comm(p->lattice);
    const int size = comm_size(ranks), mine = comm_rank(ranks);
    unsigned long long got[PEERS_MAX];
    bool ok = true;
    greet_ranks(&p->group, device_stream());
    device_check_launch("peer_greet");
    device_wait();
    comm_barrier(ranks);
    device_copy_from(got, p->mailbox->greeting, sizeof got);
    for (int r = 0; r < size && ok; r++)
        ok = got[r] == PEER_GREETING(r, mine)
             || fail(f, "what %s stores into the GPU memory of %s does not arrive", comm_rank_name(ranks, r).s,
                     comm_rank_name(ranks, mine).s);
    return comm_agree(ranks, ok, f);
}

static unsigned long long stress_seed(void)
{
    const char *given = getenv("KILN_PEER_STRESS");
    return given ? strtoull(given, NULL, 10) : 0;
}

/* NULL with the reason if ranks do not reach each other. */
static peers *connect_ranks(lattice *l, bool is_shared, failure *f)
{
    const comm *ranks = lattice_comm(l);
    peers *p = memory_alloc(sizeof *p, "peers");
    p->lattice = l;
    p->is_shared = is_shared;
    p->alike = gpus_are_alike(ranks);
    p->trial = wanted;
    p->memory = peer_memory_begin(ranks);
    p->mailbox = place_alloc(PLACE_GPU, sizeof *p->mailbox, "mailbox of a rank");
    p->group.state = place_alloc(PLACE_GPU, sizeof *p->group.state, "state of a rank");
    p->group.rank = comm_rank(ranks);
    p->group.ranks = comm_size(ranks);
    p->group.limit_ns = LIMIT_NS;
    p->group.stress = stress_seed();
    if (!exchange_mailboxes(p, f) || !greet(p, f)) {
        peers_free(p);
        return NULL;
    }
    note_neighbors(&p->group, p->is_neighbor, l);
    if (p->trial.part == PEERS_NONE)
        p->group.neighbors = 0;
    list_pieces(p, l);
    lattice_sent_sites(l, PLACE_GPU);
    device_wait();
    comm_barrier(ranks);
    return p;
}

void peers_try(peers_trial t)
{
    wanted = t;
}

peers *peers_create(lattice *l, bool may_share, failure *f)
{
    bool is_shared;
    return is_possible(lattice_comm(l), may_share, &is_shared, f) ? connect_ranks(l, is_shared, f) : NULL;
}

/* ---- launches */

void peers_exchange_addresses(void **addresses, peers *p, const field *f, int count)
{
    failure why;
    void **mine = memory_alloc((size_t)count * sizeof *mine, "addresses of fields");
    for (int i = 0; i < count; i++)
        mine[i] = f[i].data;
    require(peer_memory_exchange(p->memory, addresses, (peer_blocks){ count, mine, p->is_neighbor }, &why), "%s",
            why.why);
    memory_free(mine);
}

/* Bytes of a piece: several units of 16 bytes for each thread of a warp, to use the bandwidth of NVLink. */
enum { PIECE_BYTES = 3072 };

static const piece_list *pieces_for(const peers *p, size_t tile_bytes)
{
    int size = 0;
    while (size + 1 < PIECE_SIZES && (tile_bytes << size) < PIECE_BYTES)
        size++;
    return &p->pieces[size];
}

peer_pack_args peers_pack_args(const peers *p, const peer_fields *fields)
{
    const field *f = fields->f;
    const ghost_boxes *ghosts = lattice_ghosts(f->lattice);
    const intptr_t before = (intptr_t)f->data - (intptr_t)field_view_of(f).data;    /* the same on all ranks */
    peer_pack_args args;
    assert(fields->count <= BATCH_MAX_RHS);
    memset(&args, 0, sizeof args);
    args.group = p->group;
    args.sites = lattice_sent_sites(f->lattice, PLACE_GPU);
    args.parity_sites = ghosts->sites[GHOSTS_EVERY];
    args.first_parity = f->on == ON_ODD;
    args.parities = f->on == ON_ALL ? 2 : 1;
    args.level = p->trial.part < PEERS_SIGNALS ? (int)fields->level : NO_LEVEL;
    args.slabs = f->slabs;
    args.slab_sites = field_view_of(f).slab_sites;
    args.words = field_record_words(f);
    args.records = f->reals * (int)(precision_bytes(f->precision) / sizeof(uint32_t)) / args.words;
    args.fields = fields->count;
    args.warps = p->trial.warps > 0 ? p->trial.warps : PEERS_PACKING_WARPS;
    const piece_list *pieces = pieces_for(p, (size_t)(args.words * args.records) * SITE_TILE * sizeof(uint32_t));
    args.piece = pieces->piece;
    args.pieces = pieces->count[fields->level];
    for (int n = 0; n < fields->count; n++) {
        args.from[n] = field_view_of(&f[n]).data;
        for (int rank = 0; rank < p->group.ranks; rank++)
            args.to[n][rank] = p->trial.part == PEERS_OWN ? field_view_of(&f[n]).data
                               : (void *)((intptr_t)fields->addresses[fields->stride * rank + n] - before);
    }
    return args;
}

const peer_group *peers_group(const peers *p)
{
    return p->is_shared ? NULL : &p->group;
}

void peers_exchange(peers *p, const peer_fields *fields)
{
    const peer_pack_args args = peers_pack_args(p, fields);
    pack(&args, device_stream());
    device_check_launch("peer_pack");
    wait_for_ghosts(&p->group, device_stream());
    device_check_launch("peer_wait");
}

bool peers_exchange_beside(peers *p, const peer_fields *fields, hop_beside_fn *beside, const peer_hop *hop)
{
    if (!p->alike)
        return false;
    const peer_pack_args args = peers_pack_args(p, fields);
    const bool done = beside(hop, &args, device_stream());
    device_check_launch("hop_beside");
    p->beside += done;
    return done;
}

int64_t peers_hops_beside(const peers *p)
{
    return p->beside;
}

void peers_sum(peers *p, krylov_sum sum, const krylov_batch *b)
{
    const peer_sum_args args = { .group = p->group, .b = *b, .sum = sum };
    sum_over_ranks(&args, device_stream());
    device_check_launch("peer_sum");
}

void peers_check(const peers *p)
{
    peer_state state;
    device_copy_from(&state, p->group.state, sizeof state);
    const comm *ranks = lattice_comm(p->lattice);
    const rank_text mine = comm_rank_name(ranks, p->group.rank), other = comm_rank_name(ranks, state.failed - 1);
    require(state.failed == 0, "%s waited %d s for %s between their GPUs: look at the log and the machine of %s",
            mine.s, (int)(LIMIT_NS / 1000000000), other.s, other.s);
}
