/* transport_host.c - the hosts of ranks exchange ghosts and sums (comm/comm.h): for CPUs, and for GPUs if nothing else
 * works.  This transport has no state. */
#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/halo/ghost_messages.h"
#include "src/halo/transport.h"
#include "src/lattice/batch_sums.h"

static bool connect_host(void **state, lattice *l, bool is_demanded, failure *f)
{
    (void)l, (void)is_demanded, (void)f;
    *state = NULL;
    return true;
}

static void disconnect_host(void *state)
{
    (void)state;
}

static void exchange_on_cpu(const ghost_messages *m, size_t bytes)
{
    lattice *l = m->f->lattice;
    char *packed = lattice_staging(l, PLACE_CPU, bytes);
    int count;
    comm_shift *shift = ghost_messages_list(m, &count, packed, NULL);
    ghost_messages_pack(m, packed);
    comm_exchange(lattice_comm(l), shift, count);
    memory_free(shift);
}

/* Copies ghosts from the GPU to the host, exchanges them, and copies them back. */
static void exchange_staged(const ghost_messages *m, size_t bytes)
{
    lattice *l = m->f->lattice;
    char *there = lattice_staging(l, PLACE_GPU, bytes), *packed = lattice_staging(l, PLACE_CPU, 2 * bytes);
    char *arrived = packed + bytes;
    int count;
    comm_shift *shift = ghost_messages_list(m, &count, packed, arrived);
    ghost_messages_pack(m, there);
    device_copy_from(packed, there, bytes);
    comm_exchange(lattice_comm(l), shift, count);
    ghost_messages_to_gpu(m, arrived);
    memory_free(shift);
}

static void exchange_by_host(void *state, const field *f, ghost_level level)
{
    const ghost_messages m = ghost_messages_of(f, level);
    (void)state;
    if (m.boxes > 0 && f->where == PLACE_GPU)
        exchange_staged(&m, ghost_messages_bytes(&m));
    else if (m.boxes > 0)
        exchange_on_cpu(&m, ghost_messages_bytes(&m));
}

static void prepare_host(void *state, void **places, const field *f, int count)
{
    (void)state, (void)places, (void)f, (void)count;
}

static void hop_by_host(void *state, const hop_launch *h)
{
    for (int i = 0; i < h->count; i++)
        exchange_by_host(state, &h->fields[i], lattice_vector_ghosts(lattice_shape_of(h->fields[i].lattice)));
    hop_launch_run(h);
}

static void sum_by_host(void *state, const rank_sum *s)
{
    (void)state;
    batch_sum_on_host(s->where, s->sum, s->batch, s->ranks);
}

const transport transport_host = {
    .by = "by way of the host", .works = "the last resort",
    .cannot = "the host cannot be used", .lacks = "",
    .iteration_seconds = 320e-6,
    .connect = connect_host, .disconnect = disconnect_host,
    .exchange = exchange_by_host, .prepare = prepare_host, .hop = hop_by_host, .sum = sum_by_host,
};
