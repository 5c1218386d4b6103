/* peer.cu - stores into the ghosts of other GPUs, flags, and sums over ranks (src/kernels/peer_args.h).
 *
 * A kernel here may wait for a kernel on another GPU, so each rank that uses them has a separate GPU. */
#include "gpu/peer_stores.h"
#include "gpu/peer_sums.h"
#include "src/kernels/krylov_kinds.h"

/* Compiled once: words have any precision and format, scalars are in double. */
#ifndef SINGLE

enum { PACK_THREADS = 256, PACK_BLOCKS = 132, SUM_THREADS = 128 };

static __global__ void __launch_bounds__(PACK_THREADS)
pack_into_peers(const __grid_constant__ peer_pack_args a)
{
    pack_for_peers<stored_numbers>(a, (int)blockIdx.x, (int)gridDim.x);
}

static __global__ void __launch_bounds__(32)
wait_for_ghosts(const __grid_constant__ peer_group g)
{
    const unsigned long long sequence = wait_for_peers(g);
    if (threadIdx.x == 0)
        g.state->exchanges = sequence;
}

/* Words are integers: all ranks get the same sums, in any order. */
static __global__ void __launch_bounds__(SUM_THREADS)
sum_over_ranks(const __grid_constant__ peer_sum_args a)
{
    const int thread = (int)threadIdx.x;
    add_over_peers(a.group, a.b, a.sum, thread, SUM_THREADS);
    const bool going = a.b.state->going != 0;
    __syncthreads();
    finish_kind(a.sum, &a.b, going, thread, SUM_THREADS);
    end_if_failed(a.group, a.b, thread);
}

static __global__ void __launch_bounds__(32)
greet_ranks(const __grid_constant__ peer_group g)
{
    const int other = (int)threadIdx.x;
    if (other < g.ranks)
        raise_flag(&g.mailbox[other]->greeting[g.rank], PEER_GREETING(g.rank, other));
}

extern "C" peer_greet_fn peer_greet_gpu;
extern "C" peer_pack_fn peer_pack_gpu;
extern "C" peer_wait_fn peer_wait_gpu;
extern "C" peer_sum_fn peer_sum_gpu;

extern "C" void peer_greet_gpu(const peer_group *g, void *stream)
{
    greet_ranks<<<1, 32, 0, (cudaStream_t)stream>>>(*g);
}

extern "C" void peer_pack_gpu(const peer_pack_args *a, void *stream)
{
    const int warps = PACK_THREADS / WARP_THREADS, needed = (packed_pieces(*a) + warps - 1) / warps;
    pack_into_peers<<<needed < PACK_BLOCKS ? needed : PACK_BLOCKS, PACK_THREADS, 0, (cudaStream_t)stream>>>(*a);
}

extern "C" void peer_wait_gpu(const peer_group *g, void *stream)
{
    wait_for_ghosts<<<1, 32, 0, (cudaStream_t)stream>>>(*g);
}

extern "C" void peer_sum_gpu(const peer_sum_args *a, void *stream)
{
    sum_over_ranks<<<1, SUM_THREADS, 0, (cudaStream_t)stream>>>(*a);
}

#endif
