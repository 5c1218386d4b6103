/* rank_ways.c - try one way after the other. */
#include "src/halo/rank_ways.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/halo/transport.h"

static void free_ways(void *of)
{
    rank_ways *w = of;
    peers_free(w->peers);
    nccl_ranks_free(w->nccl);
    memory_free(w);
}

static void say_way(const rank_ways *w, transport wanted, const char *why)
{
    static const char asked[] = "as --transport or KILN_TRANSPORT says";
    if (w->peers)
        log_line(LOG_INFO, "transport: ghosts and sums travel between GPUs by stores into peer memory (%s)",
                 wanted == TRANSPORT_PEER ? asked : "the GPUs reach each other");
    else if (w->nccl)
        log_line(LOG_INFO, "transport: ghosts and sums travel between GPUs by NCCL %s (%s)", nccl_ranks_version(),
                 wanted == TRANSPORT_NCCL ? asked : why);
    else
        log_line(LOG_INFO, "transport: ghosts and sums travel between GPUs by way of the host (%s)",
                 wanted == TRANSPORT_HOST ? asked : why);
}

static rank_ways *choose_way(lattice *l)
{
    const transport wanted = transport_here();
    rank_ways *w = memory_alloc(sizeof *w, "the way between ranks");
    failure f, why;
    require(comm_same(lattice_comm(l), &wanted, sizeof wanted, "KILN_TRANSPORT", &f), "%s", f.why);
    if (wanted == TRANSPORT_BEST || wanted == TRANSPORT_PEER) {
        w->peers = peers_create(l, wanted == TRANSPORT_PEER, &f);
        fail(&why, "no peer memory: %s", w->peers ? "" : f.why);
    }
    require(w->peers || wanted != TRANSPORT_PEER, "--transport or KILN_TRANSPORT is peer, but the GPUs of the ranks "
                                                  "cannot store into each other's memory: %s", f.why);
    if (wanted == TRANSPORT_NCCL || (wanted == TRANSPORT_BEST && !w->peers)) {
        w->nccl = nccl_ranks_create(l, wanted == TRANSPORT_NCCL, &f);
        if (wanted == TRANSPORT_BEST && !w->nccl) {
            failure both = why;
            fail(&why, "%s; %s", both.why, f.why);
        }
    }
    require(w->nccl || wanted != TRANSPORT_NCCL, "--transport or KILN_TRANSPORT is nccl, but NCCL cannot be used: %s",
            f.why);
    say_way(w, wanted, why.why);
    return w;
}

const rank_ways *rank_ways_of(lattice *l)
{
    lattice_extra *extra = lattice_extra_of(l);
    if (!extra->made)
        *extra = (lattice_extra){ .made = true, .data = choose_way(l), .release = free_ways };
    return extra->data;
}
