/* gauge_force_ladder.cu - the gauge force from the portable kernel to the tuned one: shapes of tiles, one thread for
 * each link or one plane at a time, warps in step or not, and numbers of resident blocks.
 *
 * docs/performance.md has the expected and the measured gain of each.  Build: make gpu-bench. */
#include "gpu/bench/ladder.h"
#include "gpu/gauge_force_tiles.h"

/* The name of a step: the way, the tile (parities, run, z, t), whether warps go in step, and resident blocks. */
#define STEP(name, way, loops, run, z, t, in_step, blocks)           \
    { name, #way " 2x" #run "x" #z "x" #t " " #in_step ", " #blocks, \
      launch_force<way, loops, run, z, t, in_step, blocks> }

extern "C" site_sum_fn K(gauge_force_plaquette);
extern "C" site_sum_fn K(gauge_force_rectangle);
extern "C" site_sum_fn K(gauge_force_parallelogram);

#define P "gauge_force_plaquette"
#define R "gauge_force_rectangle"
#define Q "gauge_force_parallelogram"

extern "C" const ladder_step K(gauge_force_ladder)[] = {
    { P, "portable", K(gauge_force_plaquette) },
    STEP(P, by_links, PLAQUETTES, 32, 1, 1, true, 2),
    STEP(P, by_links, PLAQUETTES, 32, 1, 1, false, 2),
    STEP(P, by_links, PLAQUETTES, 32, 1, 1, false, 3),
    STEP(P, by_links, PLAQUETTES, 16, 1, 1, false, 4),
    STEP(P, by_links, PLAQUETTES, 32, 2, 1, false, 1),
    STEP(P, by_planes, PLAQUETTES, 32, 1, 1, false, 4),
    { R, "portable", K(gauge_force_rectangle) },
    STEP(R, by_links, RECTANGLES, 32, 1, 1, false, 1),
    STEP(R, by_planes, RECTANGLES, 32, 1, 1, false, 2),
    STEP(R, by_planes, RECTANGLES, 32, 1, 1, true, 2),
    STEP(R, by_planes, RECTANGLES, 32, 1, 1, true, 4),
    STEP(R, by_planes, RECTANGLES, 32, 2, 1, true, 2),
    { Q, "portable", K(gauge_force_parallelogram) },
    STEP(Q, by_links, PARALLELOGRAMS, 32, 1, 1, false, 1),
    STEP(Q, by_links, PARALLELOGRAMS, 32, 2, 1, false, 1),
    { 0, 0, 0 }
};
