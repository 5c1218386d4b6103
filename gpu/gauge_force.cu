/* gauge_force.cu - the force of src/kernels/gauge_force.c on tiles: the same operations in the same order for each
 * link, so the same bits. */
#include "gpu/gauge_force_tiles.h"

#define TUNED_FORCE(name, loops, sites, blocks)                                                                        \
    extern "C" site_sum_fn K(name);                                                                                    \
    extern "C" void K(name##_tuned)(const void *args, site_range range, void *stream, double per_bound,                \
                                    sum_cell *cells)                                                                   \
    {                                                                                                                  \
        if (range.parities < 2)                                                                                        \
            K(name)(args, range, stream, per_bound, cells);                                                            \
        else                                                                                                           \
            launch_force<loops, sites, blocks>((const gauge_force_args *)args, stream, per_bound, cells);              \
    }

#ifdef SINGLE
TUNED_FORCE(gauge_force_plaquette, PLAQUETTES, 128, 1)
TUNED_FORCE(gauge_force_rectangle, RECTANGLES, 128, 1)
TUNED_FORCE(gauge_force_parallelogram, PARALLELOGRAMS, 128, 1)
#else
TUNED_FORCE(gauge_force_plaquette, PLAQUETTES, 64, 2)
TUNED_FORCE(gauge_force_rectangle, RECTANGLES, 64, 1)
TUNED_FORCE(gauge_force_parallelogram, PARALLELOGRAMS, 64, 1)
#endif
