/* batch_trials.cu - variants of the kernels of several systems and of half precision that are furthest from the time of
 * their bytes: HISQ in single and half, clover in double, Moebius quarks in half.
 *
 * `present` is the tuned kernel, with which the bits of the others are compared.  Predictions are for an H200: 132
 * multiprocessors with 4 schedulers at 1.755 GHz, memory 4.2 TB/s, L2 cache 6 TB/s; instructions are those of the
 * machine code.  Times are us per system.
 *
 *     HISQ half, 8 systems, 32^4: bytes 26, L2 cache 38, instructions 51 (11500 per site for all systems), measured
 *     63.5
 *         QUICK             9600 instructions, 42: 53
 *         QUICK, links asked for in advance        50
 *     HISQ single, 8 systems, 32^4: bytes 47, L2 cache 64 (3200 bytes per site), instructions 30, measured 69.  Loads
 *     of links wait for memory, at 16 warps per multiprocessor.
 *         larger blocks     5 to 10 % fewer rows from the L2 cache, if L1 keeps them: 65 to 72
 *         STREAMED_OUT, NO_ALLOCATE, narrower slabs: 66 to 69
 *         LINKS_AHEAD       12 warps, one latency less for each neighbour: 66
 *         ASK_LATER         links from L2 instead of memory: 60
 *     Clover double, 8 systems, 32^3x64, a hop: bytes 160, double precision 99 (1400 instructions), L2 cache 450 (2600
 *     bytes per site and system, of which links and blocks 1340), measured 497
 *         pairs             1920 bytes: 380 (both hops: 760)
 *         in turns, shared  1950 bytes: 400 (800)
 *         pairs, shared     1700 bytes, but less L1: 350 (700)
 *     Moebius half, 24^3x48x12, C (two hops): bytes 370, instructions 622 (2320 per site and slice and hop), measured
 *     824.  330 of the 2320 multiply by the matrix in the fifth dimension, of which 145 are products and sums.
 *         groups of 4       2190: 780
 *         more registers    16 warps instead of 18, no spills; with 16 slices two turns instead of three: 800
 *         asks, groups      the first loads of a block find links in L2: 750
 *
 * Build: make gpu-bench. */
#include "gpu/bench/clover_pairs.h"
#include "gpu/bench/dwf_asking.h"
#include "gpu/bench/ladder.h"
#include "gpu/bench/staggered_trials.h"
#include "gpu/dwf_launch.h"
#include "gpu/staggered_tuned.h"
#include "gpu/wilson_tuned.h"

#define TRIAL_LINKS(f) (f == VECTOR_NATIVE ? LINK_NATIVE : LINK_FIXED16)
#define PRESENT_HOP(name, f) { "trial " name, f, 8, launch_hop<tuned_hop<f, TRIAL_LINKS(f), 8>> }
#define SHAPE(f, run, z, t, blocks)                                                                                    \
    { "trial shape " #run "x" #z "x" #t ", " #blocks, f, 8,                                                            \
      launch_hop<hop_way<f, TRIAL_LINKS(f), 8, run, z, t, STREAMED, blocks>> }
#define TRIAL(f, run, z, how, blocks)                                                                                  \
    { "trial " #how " " #run "x" #z ", " #blocks, f, 8,                                                                \
      launch_trial_hop<hop_way<f, TRIAL_LINKS(f), 8, run, z, 1, STREAMED | how, blocks>> }
#define ASKS(f, run, z, how, blocks)                                                                                   \
    { "asks " #how " " #run "x" #z ", " #blocks, f, 8,                                                                 \
      launch_trial_hop<hop_way<f, TRIAL_LINKS(f), 8, run, z, 1, STREAMED | how, blocks>> }

extern "C" const hop_step K(hop_trials)[] = {
#ifdef SINGLE
    PRESENT_HOP("present_single", VECTOR_NATIVE),
    SHAPE(VECTOR_NATIVE, 128, 1, 1, 3),
    SHAPE(VECTOR_NATIVE, 256, 1, 1, 2),
    SHAPE(VECTOR_NATIVE, 512, 1, 1, 1),
    SHAPE(VECTOR_NATIVE, 256, 2, 1, 1),
    SHAPE(VECTOR_NATIVE, 128, 4, 1, 1),
    TRIAL(VECTOR_NATIVE, 128, 1, STREAMED_OUT, 4),
    TRIAL(VECTOR_NATIVE, 128, 1, NO_ALLOCATE, 4),
    TRIAL(VECTOR_NATIVE, 128, 1, STREAMED_OUT | NO_ALLOCATE, 4),
    TRIAL(VECTOR_NATIVE, 128, 4, STREAMED_OUT | NO_ALLOCATE, 1),
    ASKS(VECTOR_NATIVE, 128, 1, ASK_OWN, 4),
    ASKS(VECTOR_NATIVE, 128, 1, ASK_LATER, 4),
    ASKS(VECTOR_NATIVE, 128, 1, ASK_LATER | STREAMED_OUT | NO_ALLOCATE, 4),
    ASKS(VECTOR_NATIVE, 64, 4, ASK_LATER, 2),
    TRIAL(VECTOR_NATIVE, 128, 1, LINKS_AHEAD, 3),
    ASKS(VECTOR_NATIVE, 128, 1, LINKS_AHEAD | ASK_LATER, 3),
    TRIAL(VECTOR_NATIVE, 128, 1, TWO_SLABS, 4),
    TRIAL(VECTOR_NATIVE, 128, 1, FOUR_SLABS, 4),
    PRESENT_HOP("present_half", VECTOR_HALF),
    TRIAL(VECTOR_HALF, 64, 4, QUICK, 2),
    TRIAL(VECTOR_HALF, 64, 2, QUICK, 4),
    TRIAL(VECTOR_HALF, 128, 1, QUICK, 4),
    TRIAL(VECTOR_HALF, 128, 2, QUICK, 2),
    TRIAL(VECTOR_HALF, 128, 4, QUICK, 1),
    TRIAL(VECTOR_HALF, 64, 4, QUICK | STREAMED_OUT, 2),
    TRIAL(VECTOR_HALF, 64, 4, QUICK | TWO_SLABS, 2),
    TRIAL(VECTOR_HALF, 64, 4, QUICK | LINKS_AHEAD, 2),
    ASKS(VECTOR_HALF, 64, 4, QUICK | ASK_LATER, 2),
    ASKS(VECTOR_HALF, 128, 1, QUICK | ASK_LATER, 4),
#endif
    { 0 }
};

#ifdef SINGLE
template <class WAY>
static bool trial_fits(const dwf_hop_args *a)
{
    return dwf_fits<WAY>(&a->l, a->k, a->Ls);
}
#endif
#define TRIAL_DWF(name, launch, threads, blocks, group, uniform)                                                       \
    { name " " #threads ", " #blocks ", " #group, VECTOR_HALF,                                                         \
      launch<dwf_way<VECTOR_HALF, 32, 1, 1, threads, blocks, 4, group, uniform>>,                                      \
      trial_fits<dwf_way<VECTOR_HALF, 32, 1, 1, threads, blocks, 4, group, uniform>> }

extern "C" const dwf_step K(dwf_trials)[] = {
#ifdef SINGLE
    TRIAL_DWF("trial present", launch_dwf, 192, 3, 1, false),
    TRIAL_DWF("trial groups", launch_dwf, 192, 3, 2, false),
    TRIAL_DWF("trial groups", launch_dwf, 192, 3, 4, false),
    TRIAL_DWF("trial uniform, groups", launch_dwf, 192, 3, 4, true),
    TRIAL_DWF("asks", launch_dwf_asking, 192, 3, 1, false),
    TRIAL_DWF("asks, groups", launch_dwf_asking, 192, 3, 4, false),
    TRIAL_DWF("trial more registers", launch_dwf, 256, 2, 1, false),
    TRIAL_DWF("trial more registers, groups", launch_dwf, 256, 2, 4, false),
    TRIAL_DWF("asks, more registers, groups", launch_dwf_asking, 256, 2, 4, false),
#endif
    { 0 }
};

#define PAIRS(name, run, z, systems, how, blocks)                                                                      \
    { "trial " name " " #run "x" #z "x" #systems ", " #blocks, VECTOR_NATIVE, 8,                                       \
      launch_pairs<wilson_way<VECTOR_NATIVE, LINK_12, run, z, 1, systems, how, blocks>, CLOVER_INNER>,                 \
      launch_pairs<wilson_way<VECTOR_NATIVE, LINK_12, run, z, 1, systems, how, blocks>, CLOVER_OUTER> }

extern "C" const clover_step K(clover_trials)[] = {
#ifndef SINGLE
    { "trial present", VECTOR_NATIVE, 8, launch_wilson<several_systems<VECTOR_NATIVE>, CLOVER_INNER>,
      launch_wilson<several_systems<VECTOR_NATIVE>, CLOVER_OUTER> },
    PAIRS("in turns, streamed", 64, 2, 1, IN_TURNS | STREAMED, 2),
    PAIRS("in turns, streamed", 64, 2, 1, IN_TURNS | STREAMED, 3),
    PAIRS("in turns, shared", 64, 2, 1, IN_TURNS | SHARED_LINKS, 2),
    PAIRS("in turns, shared", 64, 1, 2, IN_TURNS | SHARED_LINKS, 3),
    PAIRS("in turns, shared", 64, 1, 4, IN_TURNS | SHARED_LINKS, 2),
    PAIRS("pairs", 64, 2, 1, STREAMED, 2),
    PAIRS("pairs, links in L1", 64, 2, 1, PLAIN, 2),
    PAIRS("pairs", 64, 1, 1, STREAMED, 4),
    PAIRS("pairs", 32, 1, 4, PLAIN, 2),
    PAIRS("pairs, ends apart", 64, 2, 1, STREAMED | ENDS_APART, 2),
    PAIRS("pairs, links in L1, ends apart", 64, 2, 1, PLAIN | ENDS_APART, 2),
    PAIRS("pairs, wide slabs", 64, 2, 1, STREAMED | WIDE_SLABS, 2),
    PAIRS("pairs", 64, 4, 1, STREAMED, 1),
    PAIRS("pairs, shared", 64, 2, 1, STREAMED | SHARED_LINKS, 2),
    PAIRS("pairs, shared", 64, 1, 2, STREAMED | SHARED_LINKS, 2),
#endif
    { 0 }
};
