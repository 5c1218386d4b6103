/* dwf_hop.cu - the hop of domain-wall quarks of src/kernels/dwf_hop*.c and dwf_batch_hop*.c on tiles, with the same
 * bits.  Shapes and registers are the best ones of the ladder: gpu/bench/dwf_ladder.cu has the numbers. */
#include "src/kernels/krylov_site.h"

#include "gpu/dwf_launch.h"

/* With many slices, the resident blocks of WAY do not fit, and WIDE is used.  Portable kernels are used for lattices
 * without tiles, for more slices than shared memory holds, and for hops with phases. */
#define TUNED_DWF(suffix, WAY, WIDE)                                                                                  \
    extern "C" site_map_fn K(dwf_hop_sites##suffix);                                                                  \
    extern "C" site_map_fn K(dwf_batch_hop##suffix);                                                                  \
    extern "C" void K(dwf_hop_sites##suffix##_tuned)(const void *args, site_range range, void *stream)                \
    {                                                                                                                 \
        const dwf_hop_args *a = (const dwf_hop_args *)args;                                                           \
        site_map_fn *run = a->phases.on ? K(dwf_hop_sites##suffix)                                                    \
                         : dwf_blocks_fit<WAY>(&a->l, a->k, a->Ls) ? launch_dwf<WAY>                                  \
                         : dwf_fits<WIDE>(&a->l, a->k, a->Ls) ? launch_dwf<WIDE> : K(dwf_hop_sites##suffix);          \
        run(args, range, stream);                                                                                     \
    }                                                                                                                 \
    extern "C" void K(dwf_batch_hop##suffix##_tuned)(const void *args, site_range range, void *stream)                \
    {                                                                                                                 \
        const dwf_batch_hop_args *a = (const dwf_batch_hop_args *)args;                                               \
        site_map_fn *run = a->phases.on ? K(dwf_batch_hop##suffix)                                                    \
                         : dwf_blocks_fit<WAY>(&a->l, a->k, a->Ls) ? launch_dwf_batch<WAY>                            \
                         : dwf_fits<WIDE>(&a->l, a->k, a->Ls) ? launch_dwf_batch<WIDE>                                \
                                                                   : K(dwf_batch_hop##suffix);                        \
        run(args, range, stream);                                                                                     \
    }                                                                                                                 \
    extern "C" hop_beside_fn K(dwf_batch_hop##suffix##_beside);                                                       \
    extern "C" bool K(dwf_batch_hop##suffix##_beside)(const peer_hop *hop, const peer_pack_args *e, void *stream)     \
    {                                                                                                                 \
        const dwf_batch_hop_args *a = (const dwf_batch_hop_args *)hop->args;                                          \
        if (a->phases.on)                                                                                             \
            return false;                                                                                             \
        return dwf_blocks_fit<WAY>(&a->l, a->k, a->Ls) ? launch_dwf_beside<WAY>(hop, e, stream)                       \
             : dwf_fits<WIDE>(&a->l, a->k, a->Ls) ? launch_dwf_beside<WIDE>(hop, e, stream) : false;                  \
    }

template <vector_format F>
using narrow_way = dwf_way<F, 32, 1, 1, 192, IN_DOUBLE ? 2 : 3, 16 / sizeof(real)>;
template <vector_format F>
using wide_way = dwf_way<F, 32, 1, 1, 384, IN_DOUBLE ? 1 : 2, 16 / sizeof(real)>;

#ifdef SINGLE
TUNED_DWF(, narrow_way<VECTOR_NATIVE>, wide_way<VECTOR_NATIVE>)
TUNED_DWF(_half, narrow_way<VECTOR_HALF>, narrow_way<VECTOR_HALF>)
TUNED_DWF(_int20, narrow_way<VECTOR_INT20>, narrow_way<VECTOR_INT20>)
#else
typedef dwf_way<VECTOR_NATIVE, 16, 1, 1, 192, 2, 2> half_a_warp_way;
TUNED_DWF(, half_a_warp_way, wide_way<VECTOR_NATIVE>)
TUNED_DWF(_int30, narrow_way<VECTOR_INT30>, wide_way<VECTOR_INT30>)
#endif
