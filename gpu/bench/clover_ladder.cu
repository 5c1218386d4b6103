/* clover_ladder.cu - both hops of the operator with a clover term for several systems in double: one after the
 * other, and two or four at once.
 *
 * An H200, 32^3x64, 8 systems, 2026-11-29, in an earlier form of the kernels, which computed the neighbors of each
 * site: "two at once" and pairs now read their offsets from shared memory.  Microseconds of both hops for one system.
 * In turns, a system reads 2600 bytes per site and hop from the L2 cache, of which links and blocks are 1340;
 * predictions are in proportion to these bytes, with an allowance for the part of L1 that shared memory takes.  The
 * floor by the bytes of memory is 320.
 *
 *     earlier form                                bytes from L2   predicted   measured
 *     in turns, 64x2x1, 2                                2600                    992
 *     two at once, links shared, 64x1x1, 3               1950         800        574 *
 *     pairs, 64x2x1 or 32x1x1 by 4, 2                    1920         760        545 (32x1x1 by 4)
 *     pairs, links shared, 64x2x1, 2                     1700         700        690
 *     pairs, links shared, 64x1x1 by 2, 2                1700         700        517 *
 *     * used in wilson_tuned.h
 *
 * A pair are two systems of a thread, which share links and blocks in registers; "by 2": of two threads for each site.
 * Pairs whose links are not in shared memory are not in the code.  docs/performance.md has the present form.
 * Build: make gpu-bench. */
#include "gpu/bench/ladder.h"
#include "gpu/wilson_tuned.h"

#define STEP(name, n, way) { name, n, launch_wilson<way, CLOVER_INNER>, launch_wilson<way, CLOVER_OUTER> }
#define COUNT(n)                                                                                                       \
    { "portable", n, K(clover_inner), K(clover_outer) },                                                               \
    STEP("in turns", n, systems_in_turns<VECTOR_NATIVE>),                                                              \
    STEP("two at once", n, two_systems<VECTOR_NATIVE>),                                                                \
    STEP("pairs", n, systems_in_pairs<VECTOR_NATIVE>)

#ifndef SINGLE
extern "C" {
site_map_fn K(clover_inner);
site_map_fn K(clover_outer);
}

typedef wilson_way<VECTOR_NATIVE, LINK_12, 32, 1, 1, 4, STREAMED, 2, 2> narrow_pairs;

extern "C" const clover_step K(clover_ladder)[] = {
    COUNT(8),
    STEP("pairs 32x1 by 4", 8, narrow_pairs),
    COUNT(4),
    COUNT(2),
    { 0 }
};
#endif
