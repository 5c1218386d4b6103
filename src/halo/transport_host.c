/* transport_host.c - the hosts exchange ghosts and sums by comm/comm.h: for CPUs, and for GPUs if no other transport
 * works.
 *
 * For CPUs this transport has no state.  Kernels of a GPU pack ghosts and sums into host memory and read sums from it,
 * so that the host waits once for each exchange and once for each sum. */
#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/halo/ghost_messages.h"
#include "src/halo/transport.h"
#include "src/lattice/batch_sums.h"

/* The state, for ranks with GPUs: pinned memory for sent and for received ghosts, `bytes` each, and for sums. */
typedef struct { char *sent, *arrived; size_t bytes; long long *words; } host_memory;

static const char *const what = "memory of exchanges by way of the host";

static bool connect_host(void **state, lattice *l, bool is_demanded, failure *f)
{
    host_memory *h = memory_alloc(sizeof *h, what);
    (void)l, (void)is_demanded, (void)f;
    h->words = device_pinned_alloc(BATCH_WORDS * sizeof *h->words, what);
    *state = h;
    return true;
}

static void disconnect_host(void *state)
{
    host_memory *h = state;
    device_wait();
    device_pinned_free(h->sent);
    device_pinned_free(h->arrived);
    device_pinned_free(h->words);
    memory_free(h);
}

static void grow_host_memory(host_memory *h, size_t bytes)
{
    if (bytes <= h->bytes)
        return;
    device_wait();
    device_pinned_free(h->sent);
    device_pinned_free(h->arrived);
    h->sent = device_pinned_alloc(bytes, what);
    h->arrived = device_pinned_alloc(bytes, what);
    h->bytes = bytes;
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

/* Kernels pack ghosts into host memory; the host exchanges them and copies them to the GPU. */
static void exchange_staged(host_memory *h, const ghost_messages *m, size_t bytes)
{
    int count;
    grow_host_memory(h, bytes);
    ghost_messages_pack(m, h->sent);
    comm_shift *shift = ghost_messages_list(m, &count, h->sent, h->arrived);
    device_wait();
    comm_exchange(lattice_comm(m->f->lattice), shift, count);
    ghost_messages_to_gpu(m, h->arrived);
    memory_free(shift);
}

static void exchange_by_host(void *state, const field *f, ghost_level level)
{
    const ghost_messages m = ghost_messages_of(f, level);
    if (m.boxes > 0 && f->where == PLACE_GPU)
        exchange_staged(state, &m, ghost_messages_bytes(&m));
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

/* The words of all ranks are added in pinned memory, between two launches. */
static void sum_on_gpus(host_memory *h, const rank_sum *s)
{
    const batch_words_args args = { .b = *s->batch, .sum = s->sum, .words = h->words };
    const int words = s->batch->count * batch_sums_of(s->sum) * CELL_WORDS, ranks = comm_size(s->ranks);
    long long *all = memory_alloc((size_t)(ranks * words) * sizeof *all, what);
    batch_words_write(&args);
    device_wait();
    comm_gather_all(s->ranks, all, h->words, (size_t)words * sizeof *all);
    for (int w = 0; w < words; w++) {
        h->words[w] = 0;
        for (int r = 0; r < ranks; r++)
            h->words[w] += all[r * words + w];
    }
    batch_words_finish(&args);
    memory_free(all);
}

static void sum_by_host(void *state, const rank_sum *s)
{
    if (state && comm_size(s->ranks) > 1)
        sum_on_gpus(state, s);
    else
        batch_sum_on_host(s->where, s->sum, s->batch, s->ranks);
}

const transport transport_host = {
    .by = "by way of the host", .works = "the last resort",
    .cannot = "the host cannot be used", .lacks = "",
    .iteration_seconds = 145e-6,
    .connect = connect_host, .disconnect = disconnect_host,
    .exchange = exchange_by_host, .prepare = prepare_host, .hop = hop_by_host, .sum = sum_by_host,
};
