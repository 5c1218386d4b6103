/* gauge_force_ladder.cu - the gauge force from the portable kernel to the tuned one.
 *
 * docs/performance.md tells what each step was expected to give and gave.  Build: make gpu-bench. */
#include "gpu/bench/ladder.h"
#include "gpu/gauge_force_tiles.h"

#define TILED(loops, sites, blocks) \
    [](const void *args, site_range, void *stream, double per_bound, sum_cell *cells) { \
        launch_force<loops, sites, blocks>((const gauge_force_args *)args, stream, per_bound, cells); \
    }
#define SHAPED(loops, resident, x, y, z, t) \
    [](const void *args, site_range, void *stream, double per_bound, sum_cell *cells) { \
        const gauge_force_args *f = (const gauge_force_args *)args; \
        const int extent[4] = { x, y, z, t }; \
        tiling tiles = tile_into(&f->l, extent, sizeof(real)); \
        force_on_tiles<loops, (x) * (y) * (z) * (t), resident> \
            <<<tiles.blocks, 4 * (x) * (y) * (z) * (t), 0, (cudaStream_t)stream>>>(*f, tiles, per_bound, cells); \
    }
#define STEP_T(name, loops, sites, blocks) { name, "tiles of " #sites ", " #blocks " a processor", TILED(loops, sites, blocks) }
#define STEP_S(name, loops, resident, x, y, z, t) { name, #x "x" #y "x" #z "x" #t ", " #resident, SHAPED(loops, resident, x, y, z, t) }

extern "C" site_sum_fn K(gauge_force_plaquette);
extern "C" site_sum_fn K(gauge_force_rectangle);
extern "C" site_sum_fn K(gauge_force_parallelogram);

#define P "gauge_force_plaquette"
#define R "gauge_force_rectangle"
#define Q "gauge_force_parallelogram"

extern "C" const ladder_step K(gauge_force_ladder)[] = {
    { P, "portable", K(gauge_force_plaquette) },
    STEP_T(P, PLAQUETTES, 16, 4),
    STEP_T(P, PLAQUETTES, 16, 8),
    STEP_T(P, PLAQUETTES, 32, 2),
    STEP_T(P, PLAQUETTES, 32, 4),
    STEP_T(P, PLAQUETTES, 64, 1),
    STEP_T(P, PLAQUETTES, 64, 2),
    STEP_T(P, PLAQUETTES, 128, 1),
    STEP_S(P, PLAQUETTES, 2, 8, 2, 2, 2),
    STEP_S(P, PLAQUETTES, 2, 16, 2, 2, 1),
    STEP_S(P, PLAQUETTES, 2, 32, 2, 1, 1),
    STEP_S(P, PLAQUETTES, 2, 4, 4, 2, 2),
    STEP_S(P, PLAQUETTES, 2, 8, 4, 2, 1),
    STEP_S(P, PLAQUETTES, 1, 16, 2, 2, 2),
    STEP_S(P, PLAQUETTES, 1, 8, 4, 2, 2),
    STEP_S(P, PLAQUETTES, 1, 32, 2, 2, 1),
    { R, "portable", K(gauge_force_rectangle) },
    STEP_T(R, RECTANGLES, 16, 4),
    STEP_T(R, RECTANGLES, 32, 2),
    STEP_T(R, RECTANGLES, 32, 3),
    STEP_T(R, RECTANGLES, 64, 1),
    STEP_T(R, RECTANGLES, 64, 2),
    STEP_T(R, RECTANGLES, 128, 1),
    STEP_S(R, RECTANGLES, 1, 8, 2, 2, 2),
    STEP_S(R, RECTANGLES, 1, 16, 2, 2, 1),
    STEP_S(R, RECTANGLES, 1, 32, 2, 1, 1),
    STEP_S(R, RECTANGLES, 1, 4, 4, 2, 2),
    STEP_S(R, RECTANGLES, 1, 8, 4, 2, 1),
    STEP_S(R, RECTANGLES, 1, 16, 2, 2, 2),
    STEP_S(R, RECTANGLES, 1, 8, 4, 2, 2),
    STEP_S(R, RECTANGLES, 1, 32, 2, 2, 1),
    { Q, "portable", K(gauge_force_parallelogram) },
    STEP_T(Q, PARALLELOGRAMS, 32, 2),
    STEP_T(Q, PARALLELOGRAMS, 64, 1),
    STEP_T(Q, PARALLELOGRAMS, 128, 1),
    { 0, 0, 0 }
};
