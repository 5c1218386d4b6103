/* hop_launch.c - three ways to order a hop and its exchange. */
#include "src/halo/hop_launch.h"

#include "gpu/device.h"
#include "src/halo/exchange.h"

static void run_range(const hop_launch *h, site_range range)
{
    run_map(h->kernel, h->where, h->precision, h->args, range);
}

/* False if there is no such launch. */
static bool run_in_one(const hop_launch *h, peers *p, const peer_fields *fields)
{
    hop_beside_fn *beside = h->kernel->beside[h->precision];
    const peer_hop hop = { h->args, h->range, h->regions->times };
    return beside && hop.reach > 0 && peers_exchange_beside(p, fields, beside, &hop);
}

/* Between these two the exchange is launched. */
static void begin_exchange(const hop_launch *h)
{
    if (h->regions)
        device_side_begin();
}

static void run_hop(const hop_launch *h)
{
    const hop_regions *r = h->regions;
    if (!r) {
        run_range(h, h->range);
        return;
    }
    device_side_end();
    run_range(h, r->interior);
    device_side_join();
    for (int i = 0; i < r->boundaries; i++)
        run_range(h, r->boundary[i]);
}

void hop_over_peers(const hop_launch *h, peers *p, const peer_fields *fields)
{
    if (h->regions && run_in_one(h, p, fields))
        return;
    begin_exchange(h);
    peers_exchange(p, fields);
    run_hop(h);
}

void hop_over_nccl(const hop_launch *h, nccl_ranks *n, const field *f, int count)
{
    begin_exchange(h);
    for (int i = 0; i < count; i++)
        field_exchange_nccl(&f[i], lattice_vector_ghosts(lattice_shape_of(f[i].lattice)), n);
    run_hop(h);
}
