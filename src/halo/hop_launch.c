/* hop_launch.c - the order of a hop and its exchange. */
#include "src/halo/hop_launch.h"

#include "gpu/device.h"

static void run_range(const hop_launch *h, site_range range)
{
    run_map(h->kernel, h->where, h->precision, h->args, range);
}

void hop_launch_run(const hop_launch *h)
{
    run_range(h, h->range);
}

void hop_launch_begin(const hop_launch *h)
{
    if (h->regions)
        device_side_begin();
}

void hop_launch_end(const hop_launch *h)
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
