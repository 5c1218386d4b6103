/* transport_peer.c - ranks store ghosts and sums into each other's memory (peers.h). */
#include "src/halo/peers.h"
#include "src/halo/transport.h"

static bool connect_peers(void **state, lattice *l, bool is_demanded, failure *f)
{
    *state = peers_create(l, is_demanded, f);
    return *state != NULL;
}

static void disconnect_peers(void *state)
{
    peers_free(state);
}

static void exchange_with_peers(void *state, const field *f, ghost_level level)
{
    void *addresses[PEERS_MAX];
    peers_exchange_addresses(addresses, state, f, 1);
    const peer_fields fields = { f, 1, level, addresses, 1 };
    peers_exchange(state, &fields);
}

static void prepare_peers(void *state, void **places, const field *f, int count)
{
    peers_exchange_addresses(places, state, f, count);
}

/* Runs hop and exchange in one launch.  False if there is no such launch. */
static bool run_in_one(peers *p, const hop_launch *h, const peer_fields *fields)
{
    hop_beside_fn *beside = h->kernel->beside[h->precision];
    const peer_hop hop = { h->args, h->range, h->reach };
    return beside && h->reach > 0 && peers_exchange_beside(p, fields, beside, &hop);
}

static peer_fields fields_of_hop(const hop_launch *h)
{
    const ghost_level level = lattice_vector_ghosts(lattice_shape_of(h->fields[0].lattice));
    return (peer_fields){ h->fields, h->count, level, h->places, h->stride };
}

/* In one launch, if the kernel has a variant with the exchange.  Else with regions: the interior during the exchange,
 * then the boundary; without regions: the exchange, then all sites. */
static void hop_with_peers(void *state, const hop_launch *h)
{
    const peer_fields fields = fields_of_hop(h);
    if (run_in_one(state, h, &fields))
        return;
    hop_launch_begin(h);
    peers_exchange(state, &fields);
    hop_launch_end(h);
}

static void sum_with_peers(void *state, const rank_sum *s)
{
    peers_sum(state, s->sum, s->batch);
}

static void check_peers(void *state)
{
    peers_check(state);
}

static bool peers_can_repeat(void)
{
    return true;
}

static const peer_group *group_of_peers(void *state)
{
    return peers_group(state);
}

static void exchange_inside(void *state, const hop_launch *h, peer_pack_args *exchange)
{
    const peer_fields fields = fields_of_hop(h);
    *exchange = peers_pack_args(state, &fields);
}

const transport transport_peer = {
    .by = "by stores into peer memory", .works = "the GPUs reach each other",
    .cannot = "the GPUs of the ranks cannot store into each other's memory", .lacks = "no peer memory: ",
    .is_for_gpus = true, .iteration_seconds = 60e-6,
    .connect = connect_peers, .disconnect = disconnect_peers,
    .exchange = exchange_with_peers, .prepare = prepare_peers, .hop = hop_with_peers, .sum = sum_with_peers,
    .check = check_peers, .can_repeat = peers_can_repeat,
    .group = group_of_peers, .exchange_inside = exchange_inside,
};
