/* gauge_force.cu - the force of src/kernels/gauge_force.c on tiles: the same operations in the same order for each
 * link, so the same bits.
 *
 * On an H200, 32^4, double: plaquettes 0.83 ms (portable 1.66), rectangles 3.4 (7.7), parallelograms 8.0 (20).  Shapes
 * and registers are the best ones of the ladder (gpu/bench/gauge_force_ladder.cu); docs/performance.md. */
#include "gpu/gauge_force_tiles.h"

/* The portable kernel serves a range of one parity: a tile holds both. */
#define TUNED_FORCE(name, ...)                                                                                         \
    extern "C" site_sum_fn K(name);                                                                                    \
    extern "C" void K(name##_tuned)(const void *args, site_range range, void *stream, double per_bound,                \
                                    sum_cells cells)                                                                   \
    {                                                                                                                  \
        (range.parts < 2 ? K(name) : launch_force<__VA_ARGS__>)(args, range, stream, per_bound, cells);                \
    }

#ifdef SINGLE
TUNED_FORCE(gauge_force_plaquette, by_links, PLAQUETTES, 32, 1, 1, false, 3)
TUNED_FORCE(gauge_force_rectangle, by_planes, RECTANGLES, 32, 2, 1, true, 2)
TUNED_FORCE(gauge_force_parallelogram, by_links, PARALLELOGRAMS, 32, 2, 1, false, 1)
#else
TUNED_FORCE(gauge_force_plaquette, by_links, PLAQUETTES, 32, 1, 1, false, 2)
TUNED_FORCE(gauge_force_rectangle, by_planes, RECTANGLES, 32, 1, 1, true, 2)
TUNED_FORCE(gauge_force_parallelogram, by_links, PARALLELOGRAMS, 32, 1, 1, false, 1)
#endif
