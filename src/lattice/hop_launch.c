/* hop_launch.c - three ways to order a hop and its exchange. */
#include "src/lattice/hop_launch.h"

#include "gpu/device.h"

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

void hop_over_peers(const hop_launch *h, peers *p, const peer_fields *fields)
{
    const hop_regions *r = h->regions;
    if (!r) {
        peers_exchange(p, fields);
        run_range(h, h->range);
        return;
    }
    if (run_in_one(h, p, fields))
        return;
    device_side_begin();
    peers_exchange(p, fields);
    device_side_end();
    run_range(h, r->interior);
    device_side_join();
    for (int i = 0; i < r->boundaries; i++)
        run_range(h, r->boundary[i]);
}
