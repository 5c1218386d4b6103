/* wall_ladder.cu - the hop of domain-wall quarks from the portable kernel to the tuned one: shapes of tiles, slices
 * that a thread makes at a time, threads of a block, and resident blocks.
 *
 * An H200, 24^3x48, Ls = 12, 2026-11-21: microseconds of C, which is two hops with the fifth dimension.  The floor has
 * 5 spinors, the links twice in 12 numbers, and tables of neighbours, at the 4184 GB/s of a copy; a spinor has 64 bytes
 * in half and int20, and 96 in int30.  Columns: links read by every slice; addresses counted once for all slabs of a
 * neighbour, and two numbers a thread in the fifth dimension; links of a tile in shared memory for all slices, and sums
 * in the arithmetic's precision.  Only the last form is still here.
 *
 *              tile by slices, threads, blocks     every slice     once counted     shared links     floor
 *     single   32x1x1 by 1, 384, 2                        1658             1452             1087 *     523
 *              32x1x1 by 1, 384, 1                        1531
 *              32x1x1 by 1, 192, 3                                         1175             1112
 *              32x1x1 by 1, 192, 4                                                          1276
 *              32x1x1 by 1, 128, 4                                                          1376
 *              64x1x1 by 1, 384, 1                                                          1403
 *              32x2x1 by 1, 384, 2                        1874
 *              32x2x2 by 1, 512, 1                        1398
 *              32x1x1 by 2, 192, 3                        1401
 *     half     32x1x1 by 1, 384, 2                        1488             1296             1142       370
 *              32x1x1 by 1, 192, 3                                         1262             1102 *
 *              32x1x1 by 1, 192, 4                                                          1191
 *              32x1x1 by 2, 192, 3                        1596
 *     int20    32x1x1 by 1, 384, 2                                         1431                        370
 *              32x1x1 by 1, 192, 3                                                          1123 *
 *     double   32x1x1 by 1, 384, 1                        2559                              2150 *    1040
 *              32x1x1 by 1, 192, 2                        2294             2181             2280
 *              32x1x1 by 1, 128, 2                                                          2419
 *     int30    32x1x1 by 1, 384, 1                        2419                                    *    584
 *              32x1x1 by 1, 192, 2                        2160             2138             1943
 *     * the one of wall_hop.cu (for int30 without a number)
 *
 * What binds, by counters of the first form.  Single: 4.6 GB a hop from the L2 cache, for L1 has links (20 to 34 % of
 * what is asked for) and next to nothing of spinors; warps wait for memory.  Half: instructions, 3922 a site and slice,
 * with 74 % of the issue slots taken; most of them unpack 192 numbers and make the third rows of links.  Single has
 * 2345 in the second form.
 *
 * Expected of links that a block reads once, not once a slice: 1146 bytes a site and slice from L2 become about 800, a
 * quarter of the time in single.  Found: 25 % with 384 threads, 7 % between the best of either form.
 *
 * How L1 and shared memory share their room matters: shared memory gets what the resident blocks need.  At 25 % of it,
 * one block was resident in single: 3068.
 * Build: make gpu-bench. */
#include "gpu/bench/ladder.h"
#include "gpu/wall_tiles.h"

template <class WAY>
static bool fits(const wall_hop_args *a)
{
    return wall_fits<WAY>(&a->l, a->k, a->slices);
}

#define TILE(f, slices, run, z, t, threads, blocks)                                                                    \
    { #run "x" #z "x" #t " by " #slices ", " #threads ", " #blocks, f,                                                 \
      launch_wall<wall_way<f, slices, run, z, t, threads, blocks>>,                                                    \
      fits<wall_way<f, slices, run, z, t, threads, blocks>> }
#define PORTABLE_STEP(f, suffix) { "portable", f, K(wall_hop_sites##suffix), 0 }

extern "C" {
site_map_fn K(wall_hop_sites);
#ifdef SINGLE
site_map_fn K(wall_hop_sites_half);
site_map_fn K(wall_hop_sites_int20);
#else
site_map_fn K(wall_hop_sites_int30);
#endif
}

extern "C" const wall_step K(wall_ladder)[] = {
    PORTABLE_STEP(VECTOR_NATIVE, ),
#ifdef SINGLE
    TILE(VECTOR_NATIVE, 1, 32, 1, 1, 384, 2),
    TILE(VECTOR_NATIVE, 1, 32, 1, 1, 192, 3),
    TILE(VECTOR_NATIVE, 1, 32, 1, 1, 192, 4),
    TILE(VECTOR_NATIVE, 1, 32, 1, 1, 128, 4),
    TILE(VECTOR_NATIVE, 1, 64, 1, 1, 384, 1),
    TILE(VECTOR_NATIVE, 1, 32, 2, 1, 384, 1),
    TILE(VECTOR_NATIVE, 2, 32, 1, 1, 192, 3),
    PORTABLE_STEP(VECTOR_HALF, _half),
    TILE(VECTOR_HALF, 1, 32, 1, 1, 192, 3),
    TILE(VECTOR_HALF, 1, 32, 1, 1, 384, 2),
    TILE(VECTOR_HALF, 1, 32, 1, 1, 192, 4),
    TILE(VECTOR_HALF, 1, 32, 1, 1, 128, 4),
    PORTABLE_STEP(VECTOR_INT20, _int20),
    TILE(VECTOR_INT20, 1, 32, 1, 1, 192, 3),
    TILE(VECTOR_INT20, 1, 32, 1, 1, 192, 4),
#else
    TILE(VECTOR_NATIVE, 1, 32, 1, 1, 384, 1),
    TILE(VECTOR_NATIVE, 1, 32, 1, 1, 192, 2),
    TILE(VECTOR_NATIVE, 1, 32, 1, 1, 128, 2),
    PORTABLE_STEP(VECTOR_INT30, _int30),
    TILE(VECTOR_INT30, 1, 32, 1, 1, 384, 1),
    TILE(VECTOR_INT30, 1, 32, 1, 1, 192, 2),
#endif
    { 0 }
};
