/* wall_hop.cu - the hop of domain-wall quarks of src/kernels/wall_hop*.c and wall_batch_hop*.c on tiles, with the same
 * bits.  Shapes and registers are those that the ladder found best: gpu/bench/wall_ladder.cu has its numbers. */
#include "src/kernels/krylov_site.h"

#include "gpu/wall_tiles.h"

/* Lattices without tiles, and more slices than shared memory holds, are left to the portable kernels. */
#define TUNED_WALL(suffix, ...)                                                                                        \
    extern "C" site_map_fn K(wall_hop_sites##suffix);                                                                  \
    extern "C" site_map_fn K(wall_batch_hop##suffix);                                                                  \
    extern "C" void K(wall_hop_sites##suffix##_tuned)(const void *args, site_range range, void *stream)                \
    {                                                                                                                  \
        const wall_hop_args *a = (const wall_hop_args *)args;                                                          \
        bool fits = wall_fits<wall_way<__VA_ARGS__>>(&a->l, a->k, a->slices);                                          \
        (fits ? launch_wall<wall_way<__VA_ARGS__>> : K(wall_hop_sites##suffix))(args, range, stream);                  \
    }                                                                                                                  \
    extern "C" void K(wall_batch_hop##suffix##_tuned)(const void *args, site_range range, void *stream)                \
    {                                                                                                                  \
        const wall_batch_hop_args *a = (const wall_batch_hop_args *)args;                                              \
        bool fits = wall_fits<wall_way<__VA_ARGS__>>(&a->l, a->k, a->slices);                                          \
        (fits ? launch_wall_batch<wall_way<__VA_ARGS__>> : K(wall_batch_hop##suffix))(args, range, stream);            \
    }

#ifdef SINGLE
TUNED_WALL(, VECTOR_NATIVE, 1, 32, 1, 1, 384, 2)
TUNED_WALL(_half, VECTOR_HALF, 1, 32, 1, 1, 192, 3)
TUNED_WALL(_int20, VECTOR_INT20, 1, 32, 1, 1, 192, 3)
#else
TUNED_WALL(, VECTOR_NATIVE, 1, 32, 1, 1, 384, 1)
TUNED_WALL(_int30, VECTOR_INT30, 1, 32, 1, 1, 384, 1)
#endif
