/* dwf_asking.h - the hop of domain-wall quarks (gpu/dwf_tiles.h), with a warp of each block that asks for the links and
 * some spinors of a later block.  For the ladder only; the same bits.
 *
 * A block begins with links from memory, and its sums wait for them; and of its neighbours, those in +t have not been
 * read before. */
#ifndef KILN_GPU_BENCH_DWF_ASKING_H
#define KILN_GPU_BENCH_DWF_ASKING_H

#include "gpu/bench/ask_ahead.h"
#include "gpu/dwf_launch.h"

/* The links of 32 sites p, and their neighbours in +t in all slices. */
template <class WAY>
static __device__ __forceinline__ void ask_for_tile(const dwf_hop_args &a, const hop_grid &g, const hop_place &p)
{
    static_assert(WAY::SITES == SITE_TILE && WAY::FORMAT != VECTOR_NATIVE && WAY::FORMAT != VECTOR_INT30,
                  "tiles of memory, vectors side by side");
    const int lane = (int)threadIdx.x % 32, k = lane / 2 % 8;
    const bool last = lane % 2 == 1, backward = k % 2 == 1;
    const hop_place q = place_of_lane(p, last ? 31 : 0);
    if (!q.there)
        return;
    const uint32_t link_bytes = LINK_NUMBERS(WAY::LINKS) * SITE_TILE * sizeof(real);
    if (lane < 16 && (backward || !last)) {
        const int to = backward ? hop_from(a.l, g, q, k / 2, -1) : q.index;
        ask_for((const char *)a.u.data + ((ptrdiff_t)tile_of(to) * 4 + k / 2) * link_bytes, link_bytes);
    }
    const uint32_t slab = (uint32_t)slab_bytes<WAY::FORMAT>(&a.out);
    const char *from = (const char *)a.in.data + (ptrdiff_t)tile_of(hop_from(a.l, g, q, 3, 1))
                                                 * (ptrdiff_t)(vector_bytes<WAY::FORMAT>() * SITE_TILE);
    for (int s = lane; s < SPINS * a.Ls; s += 32)
        ask_for(from + (size_t)s * slab, (uint32_t)vector_bytes<WAY::FORMAT>() * SITE_TILE);
}

/* As dwf_on_tiles, not the adjoint. */
template <class WAY>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::RESIDENT)
dwf_asking(const __grid_constant__ dwf_hop_args a, const __grid_constant__ hop_grid g)
{
    extern __shared__ double2 memory[];
    const tile_storage<WAY> storage = tile_storage<WAY>::in(memory, a.Ls);
    const hop_place p = WAY::place(a.l, g, this_block());
    hop_block later;
    tile_task task = {};
    task.out = &a.out;
    task.in = &a.in;
    task.k = &a.k;
    task.terms.y = &a.y;
    task.terms.z = &a.z;
    task.terms.a = a.a;
    task.terms.b = a.b;
    task.slab = (uint32_t)slab_bytes<WAY::FORMAT>(&a.out);
    task.boundary = a.boundary;
    task.Ls = a.Ls;
    load_table(storage.table[0], a.k, a.Ls);
    load_neighbours<WAY>(storage.hop, a.l, &a.u, g, p);
    if (threadIdx.x < 32 && later_block(&later))
        ask_for_tile<WAY>(a, g, WAY::place(a.l, g, later));
    __syncthreads();
    dwf_tile<WAY, false>(task, a.l, p, storage);
}

template <class WAY>
static void launch_dwf_asking(const void *args, site_range range, void *stream)
{
    const dwf_hop_args *a = (const dwf_hop_args *)args;
    launch_dwf_kernel(dwf_asking<WAY>, a, WAY::grid(&a->l, range, a->Ls), needs_of_block<WAY>(a->k, a->Ls), stream);
}

#endif
