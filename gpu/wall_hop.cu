/* wall_hop.cu - the hop of domain-wall quarks of src/kernels/wall_hop*.c and wall_batch_hop*.c on tiles, with the same
 * bits.  Shapes and registers are those that the ladder found best: gpu/bench/wall_ladder.cu has its numbers. */
#include "src/kernels/krylov_site.h"

#include "gpu/wall_tiles.h"

/* Where the blocks of WAY do not fit together, for there are many slices, it is WIDE.  Lattices without tiles, and more
 * slices than shared memory holds, are left to the portable kernels. */
#define TUNED_WALL(suffix, WAY, WIDE)                                                                                  \
    extern "C" site_map_fn K(wall_hop_sites##suffix);                                                                  \
    extern "C" site_map_fn K(wall_batch_hop##suffix);                                                                  \
    extern "C" void K(wall_hop_sites##suffix##_tuned)(const void *args, site_range range, void *stream)                \
    {                                                                                                                  \
        const wall_hop_args *a = (const wall_hop_args *)args;                                                          \
        site_map_fn *run = wall_blocks_fit<WAY>(&a->l, a->k, a->slices) ? launch_wall<WAY>                             \
                         : wall_fits<WIDE>(&a->l, a->k, a->slices) ? launch_wall<WIDE> : K(wall_hop_sites##suffix);    \
        run(args, range, stream);                                                                                      \
    }                                                                                                                  \
    extern "C" void K(wall_batch_hop##suffix##_tuned)(const void *args, site_range range, void *stream)                \
    {                                                                                                                  \
        const wall_batch_hop_args *a = (const wall_batch_hop_args *)args;                                              \
        site_map_fn *run = wall_blocks_fit<WAY>(&a->l, a->k, a->slices) ? launch_wall_batch<WAY>                       \
                         : wall_fits<WIDE>(&a->l, a->k, a->slices) ? launch_wall_batch<WIDE>                           \
                                                                   : K(wall_batch_hop##suffix);                        \
        run(args, range, stream);                                                                                      \
    }

template <vector_format F>
using narrow_way = wall_way<F, 32, 1, 1, 192, sizeof(real) == 4 ? 3 : 2, 16 / sizeof(real)>;
template <vector_format F>
using wide_way = wall_way<F, 32, 1, 1, 384, sizeof(real) == 4 ? 2 : 1, 16 / sizeof(real)>;

#ifdef SINGLE
TUNED_WALL(, narrow_way<VECTOR_NATIVE>, wide_way<VECTOR_NATIVE>)
TUNED_WALL(_half, narrow_way<VECTOR_HALF>, narrow_way<VECTOR_HALF>)
TUNED_WALL(_int20, narrow_way<VECTOR_INT20>, narrow_way<VECTOR_INT20>)
#else
typedef wall_way<VECTOR_NATIVE, 16, 1, 1, 192, 2, 2> half_a_warp_way;
TUNED_WALL(, half_a_warp_way, wide_way<VECTOR_NATIVE>)
TUNED_WALL(_int30, narrow_way<VECTOR_INT30>, wide_way<VECTOR_INT30>)
#endif
