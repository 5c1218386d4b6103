/* staggered_tuned.h - the tuned staggered operator for 1, 2, 4, 8 systems: which tiles for which format.
 *
 * Shapes and registers are the best ones of the ladder: gpu/bench/hop_ladder.cu has the numbers. */
#ifndef KILN_GPU_STAGGERED_TUNED_H
#define KILN_GPU_STAGGERED_TUNED_H

#include "gpu/hop_tiles.h"

/* Whether a tile has several slices in z.  This does not help a single system, whose hop memory limits, nor vectors in
 * native format, for which the L1 cache is too small. */
static constexpr bool uses_tiles(vector_format f, int systems)
{
    return f != VECTOR_NATIVE && systems > 1;
}

/* Resident blocks of a multiprocessor: as many as leave a thread enough registers for its sums, a link and vectors. */
static constexpr int tuned_blocks(vector_format f, link_format long_format, int systems)
{
    return systems == 1 ? (f == VECTOR_INT30 ? 4 : long_format == LINK_13 && IN_DOUBLE ? 5 : 8)
         : uses_tiles(f, systems) ? (IN_DOUBLE ? (systems == 8 ? 1 : 2) : systems == 8 ? 2 : 3)
         : IN_DOUBLE ? (systems == 2 ? 4 : systems == 4 ? 3 : 2)
         : (systems == 2 ? 6 : 4);
}

/* The flags of the hop.  QUICK for several systems in half, because there the number of instructions limits the hop. */
static constexpr int tuned_loads(vector_format f, int systems)
{
    return f == VECTOR_HALF && systems > 1 ? STREAMED | QUICK : STREAMED;
}

template <vector_format F, link_format LONG, int N>
using tuned_hop = hop_way<F, LONG, N, uses_tiles(F, N) ? 64 : 128, uses_tiles(F, N) ? 4 : 1, 1, tuned_loads(F, N),
                          tuned_blocks(F, LONG, N)>;

/* The portable kernels serve lattices that are too small to compute neighbors (tiles_fit). */
#define TUNED_HOP(format, long_format, suffix, systems)                                                                \
    extern "C" site_map_fn K(staggered_batch_hop_##systems##suffix);                                                   \
    extern "C" void K(staggered_batch_hop_##systems##suffix##_tuned)(const void *args, site_range range, void *stream) \
    {                                                                                                                  \
        bool fit = tiles_fit(&((const batch_hop_args *)args)->l);                                                      \
        (fit ? launch_hop<tuned_hop<format, long_format, systems>> : K(staggered_batch_hop_##systems##suffix))         \
            (args, range, stream);                                                                                     \
    }                                                                                                                  \
    extern "C" hop_beside_fn K(staggered_batch_hop_##systems##suffix##_beside);                                        \
    extern "C" bool K(staggered_batch_hop_##systems##suffix##_beside)(const peer_hop *hop, const peer_pack_args *e,    \
                                                                      void *stream)                                    \
    {                                                                                                                  \
        typedef tuned_hop<format, long_format, systems> way;                                                           \
        return launch_beside<way>(hop_beside_exchange<way>, hop, e, stream);                                           \
    }
#define TUNED_NORMAL(format, long_format, suffix, systems)                                                             \
    extern "C" site_map_fn K(staggered_batch_normal_##systems##suffix);                                                \
    extern "C" void K(staggered_batch_normal_##systems##suffix##_tuned)(const void *args, site_range range,            \
                                                                        void *stream)                                  \
    {                                                                                                                  \
        bool fit = tiles_fit(&((const batch_hop_args *)args)->l);                                                      \
        (fit ? launch_normal<tuned_hop<format, long_format, systems>> : K(staggered_batch_normal_##systems##suffix))   \
            (args, range, stream);                                                                                     \
    }                                                                                                                  \
    extern "C" hop_beside_fn K(staggered_batch_normal_##systems##suffix##_beside);                                     \
    extern "C" bool K(staggered_batch_normal_##systems##suffix##_beside)(const peer_hop *hop, const peer_pack_args *e, \
                                                                         void *stream)                                 \
    {                                                                                                                  \
        typedef tuned_hop<format, long_format, systems> way;                                                           \
        return launch_beside<way>(normal_beside_exchange<way>, hop, e, stream);                                        \
    }

#define TUNED_BATCH(format, long_format, suffix)                                                                       \
    FOR_1_2_4_8(TUNED_HOP, format, long_format, suffix)                                                                \
    FOR_1_2_4_8(TUNED_NORMAL, format, long_format, suffix)

#endif
