/* replica_groups.c - orders, links and numbers between groups of ranks. */
#include "src/hmc/replica_groups.h"

#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/comm/comm.h"
#include "src/lattice/grid.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- orders */

void replica_groups_order(const replica_order *order)
{
    replica_order copy = *order;
    if (comm_groups() > 1)
        comm_broadcast(comm_whole(), &copy, sizeof copy);
}

replica_order replica_groups_wait(void)
{
    replica_order order;
    comm_broadcast(comm_whole(), &order, sizeof order);
    return order;
}

void replica_groups_end(void)
{
    replica_groups_order(&(replica_order){ .kind = ORDER_END });
}

/* ---- seats */

int replica_groups_of(int seat)
{
    return seat % comm_groups();
}

bool replica_groups_here(int seat)
{
    return replica_groups_of(seat) == comm_group();
}

int replica_groups_most(int replicas)
{
    const int groups = grid_groups_here();
    return (replicas + groups - 1) / groups;
}

bool replica_groups_check(const run_params *p, failure *f)
{
    const int groups = grid_groups_here();
    if (groups == 1)
        return true;
    if (!run_is_tempered(p))
        return fail(f, "--replica-groups %d is for tempering, but %s has no \"tempering\"", groups, p->file);
    return p->tempering.replicas >= groups
           || fail(f, "--replica-groups %d: there are only %" PRId64 " replicas", groups, p->tempering.replicas);
}

/* "group 1: ranks 2-3" */
static replica_groups_text format_group_ranks(int group, int ranks)
{
    replica_groups_text t;
    if (ranks > 1)
        snprintf(t.s, sizeof t.s, "group %d: ranks %d-%d", group, group * ranks, (group + 1) * ranks - 1);
    else
        snprintf(t.s, sizeof t.s, "group %d: rank %d", group, group);
    return t;
}

replica_groups_text replica_groups_to_text(const run_params *p, int ranks)
{
    const int groups = grid_groups_here(), most = replica_groups_most((int)p->tempering.replicas);
    replica_groups_text t;
    snprintf(t.s, sizeof t.s, "%" PRId64 " replicas in %d groups of %s, %s%d in each (%.40s, %s%.40s)",
             p->tempering.replicas, groups, count_to_text(ranks / groups, "rank").s,
             p->tempering.replicas % groups ? "at most " : "", most, format_group_ranks(0, ranks / groups).s,
             groups > 2 ? "..., " : "", format_group_ranks(groups - 1, ranks / groups).s);
    return t;
}

/* ---- data */

/* A copy on the host of links on the GPU; the caller frees it with memory_free. */
static void *host_copy(const gauge *u)
{
    void *copy = memory_alloc(u->links.bytes, "links on their way between groups");
    device_copy_from(copy, u->links.data, u->links.bytes);
    return copy;
}

size_t replica_groups_host_bytes(place where, const lattice_shape *shape)
{
    const bool copies = where == PLACE_GPU && grid_groups_here() > 1;
    return copies ? 2 * field_bytes(shape, PRECISION_DOUBLE, GAUGE_REALS) : 0;
}

void replica_groups_send(gauge *to, const gauge *from, int group)
{
    const comm *all = comm_whole();
    const int ranks = comm_size(comm_world()), mine = comm_group();
    const int other = mine == 0 ? group : mine == group ? 0 : mine;
    const int partner = other * ranks + comm_rank(comm_world());
    const bool copies = (to && to->links.where == PLACE_GPU) || (from && from->links.where == PLACE_GPU);
    char nothing = 0;
    void *out = from && copies ? host_copy(from) : NULL;
    void *in = to && copies ? memory_alloc(to->links.bytes, "links on their way between groups") : NULL;
    comm_exchange(all, &(comm_shift){ .to = partner, .from = partner,
                                      .out = out ? out : from ? from->links.data : &nothing,
                                      .in = in ? in : to ? to->links.data : &nothing,
                                      .out_bytes = from ? from->links.bytes : 0,
                                      .in_bytes = to ? to->links.bytes : 0 }, 1);
    if (in)
        device_copy_to(to->links.data, in, to->links.bytes);
    if (to)
        gauge_forget_derived(to);
    memory_free(in);
    memory_free(out);
}

void *replica_groups_gather(const void *mine, size_t bytes)
{
    const comm *all = comm_whole();
    const size_t stride = (size_t)comm_size(comm_world()) * bytes;
    char *of = memory_alloc((size_t)comm_size(all) * bytes, "numbers of groups");
    comm_gather_all(all, of, mine, bytes);
    for (int g = 1; g < comm_groups(); g++)
        memmove(of + (size_t)g * bytes, of + (size_t)g * stride, bytes);
    return of;
}
