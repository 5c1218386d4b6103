/* dwf_launch.h - launches of the kernels of dwf_tiles.h: whether they fit a lattice, and the resources of a block. */
#ifndef KILN_GPU_DWF_LAUNCH_H
#define KILN_GPU_DWF_LAUNCH_H

#include "gpu/block_needs.h"
#include "gpu/dwf_tiles.h"

/* Whether a lattice has tiles, offsets in a slab have at most 32 bits, and the sums of all slices fit shared
 * memory. */
template <class WAY>
static bool dwf_fits(const lattice_view *l, const fifth_table &k, int Ls)
{
    return tiles_fit(l) && (size_t)(site_count(l) + 2 * l->ghosts) * vector_bytes<WAY::FORMAT>() <= UINT32_MAX
           && tile_storage<WAY>::bytes(k, Ls) <= device_bytes(cudaDevAttrMaxSharedMemoryPerBlockOptin);
}

/* Whether the shared memory of a multiprocessor is enough for RESIDENT blocks. */
template <class WAY>
static bool dwf_blocks_fit(const lattice_view *l, const fifth_table &k, int Ls)
{
    const size_t each = tile_storage<WAY>::bytes(k, Ls) + SYSTEM_BYTES;
    return dwf_fits<WAY>(l, k, Ls)
           && WAY::RESIDENT * each <= device_bytes(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
}

template <class WAY>
static block_needs needs_of_block(const fifth_table &k, int Ls)
{
    return block_needs{ WAY::threads(Ls), tile_storage<WAY>::bytes(k, Ls), WAY::RESIDENT };
}

template <class ARGS>
static void launch_dwf_kernel(void (*kernel)(const ARGS, const hop_grid), const ARGS *a, const hop_grid &g,
                              const block_needs &b, void *stream)
{
    divide_cache(kernel, b);
    kernel<<<g.blocks, b.threads, b.shared, (cudaStream_t)stream>>>(*a, g);
}

template <class WAY>
static void launch_dwf(const void *args, site_range range, void *stream)
{
    const dwf_hop_args *a = (const dwf_hop_args *)args;
    const hop_grid g = WAY::grid(&a->l, range, a->Ls);
    launch_dwf_kernel(a->dagger ? dwf_on_tiles<WAY, true> : dwf_on_tiles<WAY, false>, a, g,
                       needs_of_block<WAY>(a->k, a->Ls), stream);
}

template <class WAY>
static void launch_dwf_batch(const void *args, site_range range, void *stream)
{
    const dwf_batch_hop_args *a = (const dwf_batch_hop_args *)args;
    const hop_grid g = WAY::grid(&a->l, range, a->Ls);
    launch_dwf_kernel(a->dagger ? dwf_batch_on_tiles<WAY, true> : dwf_batch_on_tiles<WAY, false>, a, g,
                       needs_of_block<WAY>(a->k, a->Ls), stream);
}

template <class WAY>
static bool launch_dwf_beside(const peer_hop *hop, const peer_pack_args *e, void *stream)
{
    static_assert(WAY::T == 1, "the boundary is of whole blocks");
    const dwf_batch_hop_args *a = (const dwf_batch_hop_args *)hop->args;
    const hop_grid g = WAY::grid(&a->l, hop->range, a->Ls);
    const block_needs b = needs_of_block<WAY>(a->k, a->Ls);
    typedef way_of_beside<WAY> way;
    beside_shape s;
    if (!beside_fits<pack_of<way, false>>(&s, g, a->l, *e, hop->reach, b.threads))
        return false;
    auto kernel = a->dagger ? dwf_batch_beside_exchange<way, true> : dwf_batch_beside_exchange<way, false>;
    divide_cache(kernel, b);
    kernel<<<beside_blocks(s), b.threads, b.shared, (cudaStream_t)stream>>>(*a, g, *e, s);
    return true;
}

#endif
