/* wilson_ladder.cu - the hop of Wilson quarks from the portable kernel to the tuned one: shapes of tiles, registers,
 * numbers a link, the temporal gauge and a basis with diagonal gamma_t.
 *
 * An H200, 32^3x64, 2026-11-24: microseconds of a hop.  The floor counts two spinors of 24 numbers (half: 64 bytes) and
 * all links once in 12 numbers, at the 4252 GB/s of a copy.  docs/performance.md has all steps, and the predictions.
 *
 *     one system                                  single   half (16 bits)   double   int30 (32 bits)
 *     portable                                     190.5            154.2    392.2             267.5
 *     64x2x1, STREAMED                             160.9            134.0    307.8             237.1 *
 *     64x2x1, STREAMED + AHEAD                     156.3 *          134.7    303.7 *
 *     64x4x1, STREAMED                             164.9            127.3 *
 *     march 256x1 by 16 (int20: 142.4 *, not 165.7)                  131.1
 *     64x4x1, STREAMED, one scale a spinor                          120.8
 *     floor                                        142.0             78.9    284.1             142.0
 *     eight systems, tiles ordered for all of them
 *     64x1x1, 4 of 8 at once                       770.6 *
 *     32x1x1, 4 of 8 at once                       771.0          672    *
 *     one after the other                         1156.7                    2393              2004   *
 *     * used in wilson_tuned.h; in double, pairs, or two at once, chosen by clover_ladder.cu
 * Build: make gpu-bench. */
#include "gpu/bench/ladder.h"
#include "gpu/bench/wilson_one_scale.h"
#include "gpu/wilson_march.h"

#define ONE(f, links, run, z, t, how, blocks)                                                                          \
    { #run "x" #z "x" #t ", " #how ", " #blocks, f, links, 1, LADDER_PLAIN,                                            \
      launch_wilson<wilson_way<f, links, run, z, t, 1, how, blocks>, WILSON_HOP> }
#define OF_KIND(kind, f, links, run, z, t, how, blocks)                                                                \
    { #run "x" #z "x" #t ", " #how ", " #blocks, f, links, 1, kind,                                                    \
      launch_wilson<wilson_way<f, links, run, z, t, 1, how, blocks>, WILSON_HOP> }
#define SYSTEMS(n, f, links, run, z, t, systems, blocks)                                                               \
    { #run "x" #z "x" #t ", " #systems " of " #n ", " #blocks, f, links, n, LADDER_PLAIN,                              \
      launch_wilson<wilson_way<f, links, run, z, t, systems, PLAIN, blocks>, WILSON_HOP> }
#define IN_TURNS(n, f, links, run, z, t, how, blocks)                                                                  \
    { #run "x" #z "x" #t ", " #how ", in turns, " #blocks, f, links, n, LADDER_PLAIN,                                  \
      launch_wilson<wilson_way<f, links, run, z, t, 1, how, blocks>, WILSON_HOP> }
#define PAIRS(n, f, links, run, z, t, threads, blocks)                                                                 \
    { #run "x" #z "x" #t ", pairs by " #threads ", " #blocks, f, links, n, LADDER_PLAIN,                               \
      launch_wilson<wilson_way<f, links, run, z, t, threads, STREAMED, blocks, 2>, WILSON_HOP> }
#define MARCH(f, links, run, z, slices, blocks)                                                                        \
    { "march " #run "x" #z " by " #slices ", " #blocks, f, links, 1, LADDER_PLAIN,                                    \
      launch_marching<wilson_march_way<f, links, run, z, slices, STREAMED, blocks>, WILSON_HOP> }
#define ONE_SCALE(links, run, z, t, how, blocks)                                                                       \
    { #run "x" #z "x" #t ", " #how ", " #blocks, VECTOR_HALF, links, 1, LADDER_ONE_SCALE,                              \
      launch_one_scale<wilson_way<VECTOR_HALF, links, run, z, t, 1, how, blocks>> }
#define PORTABLE(n, f, links, suffix) { "portable", f, links, n, LADDER_PLAIN, K(wilson_hop##suffix) }
/* Portable kernels with other numbers for a link, for the ladder only. */
#define PORTABLE_KERNEL(suffix, f, links) WILSON_KERNEL(ladder_hop##suffix, f, links, WILSON_HOP)
#define OWN(f, links, suffix) { "portable", f, links, 1, LADDER_PLAIN, K(ladder_hop##suffix) }

extern "C" {
site_map_fn K(wilson_hop);
#ifdef SINGLE
site_map_fn K(wilson_hop_half);
site_map_fn K(wilson_hop_int20);
#else
site_map_fn K(wilson_hop_int30);
#endif
}

PORTABLE_KERNEL(_8, VECTOR_NATIVE, LINK_8)
#ifdef SINGLE
PORTABLE_KERNEL(_18, VECTOR_NATIVE, LINK_NATIVE)
PORTABLE_KERNEL(_half_12, VECTOR_HALF, LINK_12)
PORTABLE_KERNEL(_half_8, VECTOR_HALF, LINK_FIXED16_8)
#endif

#ifdef SINGLE
extern "C" void wilson_one_scale_copy(const wilson_hop_args *a, bool back, site_range range, void *stream)
{
    copy_one_scale(a, back, range, stream);
}
#endif

extern "C" const wilson_step K(wilson_ladder)[] = {
    PORTABLE(1, VECTOR_NATIVE, LINK_12, ),
#ifdef SINGLE
    ONE(VECTOR_NATIVE, LINK_12, 128, 1, 1, STREAMED, 4),
    ONE(VECTOR_NATIVE, LINK_12, 64, 2, 1, PLAIN, 4),
    ONE(VECTOR_NATIVE, LINK_12, 64, 2, 1, STREAMED, 4),
    ONE(VECTOR_NATIVE, LINK_12, 64, 2, 1, STREAMED, 5),
    ONE(VECTOR_NATIVE, LINK_12, 64, 2, 1, STREAMED, 6),
    ONE(VECTOR_NATIVE, LINK_12, 64, 2, 1, STREAMED + AHEAD, 4),
    ONE(VECTOR_NATIVE, LINK_12, 64, 2, 1, STREAMED + AHEAD, 5),
    ONE(VECTOR_NATIVE, LINK_12, 64, 4, 1, STREAMED, 2),
    ONE(VECTOR_NATIVE, LINK_12, 64, 2, 2, STREAMED, 2),
    ONE(VECTOR_NATIVE, LINK_12, 32, 2, 2, STREAMED, 4),
    ONE(VECTOR_NATIVE, LINK_12, 32, 4, 1, STREAMED, 4),
    ONE(VECTOR_NATIVE, LINK_12, 32, 4, 2, STREAMED, 2),
    ONE(VECTOR_NATIVE, LINK_12, 32, 2, 1, STREAMED, 8),
    ONE(VECTOR_NATIVE, LINK_12, 32, 4, 4, STREAMED, 1),
    OF_KIND(LADDER_TEMPORAL, VECTOR_NATIVE, LINK_12, 64, 2, 1, STREAMED + TEMPORAL_GAUGE, 4),
    OF_KIND(LADDER_NON_RELATIVISTIC, VECTOR_NATIVE, LINK_12, 64, 2, 1, STREAMED + NON_RELATIVISTIC, 4),
    OF_KIND(LADDER_NON_RELATIVISTIC, VECTOR_NATIVE, LINK_12, 64, 2, 1, STREAMED + NON_RELATIVISTIC, 5),
    PORTABLE(8, VECTOR_NATIVE, LINK_12, ),
    IN_TURNS(8, VECTOR_NATIVE, LINK_12, 64, 2, 1, AHEAD, 4),
    SYSTEMS(8, VECTOR_NATIVE, LINK_12, 32, 1, 1, 8, 2),
    SYSTEMS(8, VECTOR_NATIVE, LINK_12, 32, 1, 1, 4, 4),
    SYSTEMS(8, VECTOR_NATIVE, LINK_12, 32, 2, 1, 4, 2),
    SYSTEMS(8, VECTOR_NATIVE, LINK_12, 64, 1, 1, 4, 2),
    SYSTEMS(8, VECTOR_NATIVE, LINK_12, 32, 1, 1, 2, 6),
    OWN(VECTOR_NATIVE, LINK_NATIVE, _18),
    ONE(VECTOR_NATIVE, LINK_NATIVE, 64, 2, 1, STREAMED, 4),
    OWN(VECTOR_NATIVE, LINK_8, _8),
    ONE(VECTOR_NATIVE, LINK_8, 64, 2, 1, STREAMED, 4),
    ONE(VECTOR_NATIVE, LINK_8, 64, 2, 1, STREAMED, 5),
    PORTABLE(1, VECTOR_HALF, LINK_FIXED16_12, _half),
    ONE(VECTOR_HALF, LINK_FIXED16_12, 64, 2, 1, PLAIN, 4),
    ONE(VECTOR_HALF, LINK_FIXED16_12, 64, 2, 1, STREAMED, 4),
    ONE(VECTOR_HALF, LINK_FIXED16_12, 64, 2, 1, STREAMED, 5),
    ONE(VECTOR_HALF, LINK_FIXED16_12, 64, 2, 1, STREAMED, 6),
    ONE(VECTOR_HALF, LINK_FIXED16_12, 64, 2, 1, STREAMED + AHEAD, 5),
    ONE(VECTOR_HALF, LINK_FIXED16_12, 128, 1, 1, STREAMED, 5),
    ONE(VECTOR_HALF, LINK_FIXED16_12, 64, 2, 2, STREAMED, 2),
    ONE(VECTOR_HALF, LINK_FIXED16_12, 64, 4, 1, STREAMED, 2),
    ONE(VECTOR_HALF, LINK_FIXED16_12, 32, 2, 2, STREAMED, 5),
    OF_KIND(LADDER_TEMPORAL, VECTOR_HALF, LINK_FIXED16_12, 64, 2, 1, STREAMED + TEMPORAL_GAUGE, 5),
    OF_KIND(LADDER_NON_RELATIVISTIC, VECTOR_HALF, LINK_FIXED16_12, 64, 2, 1, STREAMED + NON_RELATIVISTIC, 5),
    ONE_SCALE(LINK_FIXED16_12, 64, 2, 1, STREAMED, 4),
    ONE_SCALE(LINK_FIXED16_12, 64, 2, 1, STREAMED, 5),
    ONE_SCALE(LINK_FIXED16_12, 64, 2, 1, STREAMED, 6),
    ONE_SCALE(LINK_FIXED16_12, 64, 4, 1, STREAMED, 2),
    ONE_SCALE(LINK_FIXED16_12, 64, 4, 1, STREAMED, 3),
    ONE_SCALE(LINK_FIXED16_12, 128, 1, 1, STREAMED, 5),
    MARCH(VECTOR_HALF, LINK_FIXED16_12, 256, 1, 16, 2),
    MARCH(VECTOR_HALF, LINK_FIXED16_12, 128, 4, 16, 1),
    MARCH(VECTOR_HALF, LINK_FIXED16_12, 128, 2, 16, 2),
    MARCH(VECTOR_HALF, LINK_FIXED16_12, 64, 4, 16, 2),
    MARCH(VECTOR_HALF, LINK_FIXED16_12, 64, 8, 16, 1),
    MARCH(VECTOR_HALF, LINK_FIXED16_12, 32, 8, 16, 2),
    PORTABLE(8, VECTOR_HALF, LINK_FIXED16_12, _half),
    IN_TURNS(8, VECTOR_HALF, LINK_FIXED16_12, 64, 4, 1, PLAIN, 2),
    SYSTEMS(8, VECTOR_HALF, LINK_FIXED16_12, 32, 1, 1, 8, 2),
    SYSTEMS(8, VECTOR_HALF, LINK_FIXED16_12, 64, 1, 1, 4, 2),
    SYSTEMS(8, VECTOR_HALF, LINK_FIXED16_12, 32, 1, 1, 4, 4),
    SYSTEMS(8, VECTOR_HALF, LINK_FIXED16_12, 32, 2, 1, 4, 2),
    OWN(VECTOR_HALF, LINK_12, _half_12),
    ONE(VECTOR_HALF, LINK_12, 64, 2, 1, STREAMED, 5),
    OWN(VECTOR_HALF, LINK_FIXED16_8, _half_8),
    ONE(VECTOR_HALF, LINK_FIXED16_8, 64, 2, 1, STREAMED, 5),
    PORTABLE(1, VECTOR_INT20, LINK_FIXED16_12, _int20),
    ONE(VECTOR_INT20, LINK_FIXED16_12, 64, 2, 1, STREAMED, 4),
    ONE(VECTOR_INT20, LINK_FIXED16_12, 64, 2, 1, STREAMED, 5),
    MARCH(VECTOR_INT20, LINK_FIXED16_12, 256, 1, 16, 2),
    MARCH(VECTOR_INT20, LINK_FIXED16_12, 256, 1, 8, 2),
    MARCH(VECTOR_INT20, LINK_FIXED16_12, 128, 1, 16, 4),
    MARCH(VECTOR_INT20, LINK_FIXED16_12, 512, 1, 8, 1),
    MARCH(VECTOR_INT20, LINK_FIXED16_12, 128, 4, 16, 1),
    MARCH(VECTOR_INT20, LINK_FIXED16_12, 128, 2, 16, 2),
    MARCH(VECTOR_INT20, LINK_FIXED16_12, 64, 4, 16, 2),
#else
    ONE(VECTOR_NATIVE, LINK_12, 128, 1, 1, STREAMED, 3),
    ONE(VECTOR_NATIVE, LINK_12, 64, 2, 1, PLAIN, 3),
    ONE(VECTOR_NATIVE, LINK_12, 64, 2, 1, STREAMED, 2),
    ONE(VECTOR_NATIVE, LINK_12, 64, 2, 1, STREAMED, 3),
    ONE(VECTOR_NATIVE, LINK_12, 64, 2, 1, STREAMED + AHEAD, 2),
    ONE(VECTOR_NATIVE, LINK_12, 64, 2, 1, STREAMED, 4),
    ONE(VECTOR_NATIVE, LINK_12, 32, 2, 2, STREAMED, 3),
    ONE(VECTOR_NATIVE, LINK_12, 32, 2, 1, STREAMED, 6),
    ONE(VECTOR_NATIVE, LINK_12, 64, 1, 1, STREAMED, 6),
    ONE(VECTOR_NATIVE, LINK_12, 32, 4, 1, STREAMED, 3),
    OF_KIND(LADDER_TEMPORAL, VECTOR_NATIVE, LINK_12, 64, 2, 1, STREAMED + TEMPORAL_GAUGE, 3),
    OF_KIND(LADDER_NON_RELATIVISTIC, VECTOR_NATIVE, LINK_12, 64, 2, 1, STREAMED + NON_RELATIVISTIC, 3),
    PORTABLE(8, VECTOR_NATIVE, LINK_12, ),
    IN_TURNS(8, VECTOR_NATIVE, LINK_12, 64, 2, 1, AHEAD, 2),
    IN_TURNS(8, VECTOR_NATIVE, LINK_12, 64, 2, 1, PLAIN, 3),
    SYSTEMS(8, VECTOR_NATIVE, LINK_12, 16, 1, 1, 8, 3),
    SYSTEMS(8, VECTOR_NATIVE, LINK_12, 16, 1, 1, 8, 2),
    SYSTEMS(8, VECTOR_NATIVE, LINK_12, 32, 1, 1, 4, 3),
    SYSTEMS(8, VECTOR_NATIVE, LINK_12, 32, 1, 1, 8, 1),
    SYSTEMS(8, VECTOR_NATIVE, LINK_12, 64, 1, 1, 2, 3),
    PAIRS(8, VECTOR_NATIVE, LINK_12, 64, 1, 1, 2, 2),
    OWN(VECTOR_NATIVE, LINK_8, _8),
    ONE(VECTOR_NATIVE, LINK_8, 64, 2, 1, STREAMED, 3),
    PORTABLE(1, VECTOR_INT30, LINK_FIXED32_12, _int30),
    ONE(VECTOR_INT30, LINK_FIXED32_12, 64, 2, 1, STREAMED, 2),
    ONE(VECTOR_INT30, LINK_FIXED32_12, 64, 2, 1, STREAMED, 3),
    ONE(VECTOR_INT30, LINK_FIXED32_12, 64, 2, 1, STREAMED, 4),
    ONE(VECTOR_INT30, LINK_FIXED32_12, 64, 2, 1, STREAMED + AHEAD, 2),
    ONE(VECTOR_INT30, LINK_FIXED32_12, 64, 2, 1, STREAMED + AHEAD, 3),
    MARCH(VECTOR_INT30, LINK_FIXED32_12, 128, 1, 16, 2),
    MARCH(VECTOR_INT30, LINK_FIXED32_12, 256, 1, 16, 1),
    MARCH(VECTOR_INT30, LINK_FIXED32_12, 64, 4, 16, 1),
#endif
    { 0 }
};
