/* persistent_ladder.cu - the persistent kernel of conjugate gradients with other threads, registers and loads.
 *
 * Expected on an H200, 16^4, where a multiprocessor has 248 sites, so that 256 threads are enough: an iteration in
 * single precision reads links for 15 us at the rate of a copy, and waits four times, for about 5 us; so 20 to 25 us if
 * a thread has loads of several links in flight, and 30 if it waits for each link (16 times 0.8 us in a hop).  A
 * prefetch of the links of the next iteration while the blocks wait for sums saves 2 us if they have left the L2 cache.
 * Build: make gpu-bench. */
#include "gpu/bench/ladder.h"
#include "gpu/persistent_loop.h"

#define STEP(f, links, threads, how, blocks)                                                                           \
    { #threads " threads, " #how ", blocks: " #blocks, f,                                                              \
      launch_persistent<hop_way<f, links, 1, threads, 1, 1, (how) | WHOLE, blocks>> }
#define STEPS(f, links)                                                                                                \
    STEP(f, links, 256, PLAIN, 1),                                                                                     \
    STEP(f, links, 256, AHEAD, 1),                                                                                     \
    STEP(f, links, 256, AT_ONCE, 1),                                                                                   \
    STEP(f, links, 256, AT_ONCE | STREAMED, 1),                                                                        \
    STEP(f, links, 256, AT_ONCE | PREFETCHED, 1),                                                                      \
    STEP(f, links, 128, AT_ONCE, 2),                                                                                   \
    STEP(f, links, 512, PLAIN, 1)

extern "C" const persistent_ladder_step K(persistent_ladder)[] = {
    STEPS(VECTOR_NATIVE, LINK_13),
#ifdef SINGLE
    STEPS(VECTOR_HALF, LINK_FIXED16_13),
#endif
    { 0 }
};
