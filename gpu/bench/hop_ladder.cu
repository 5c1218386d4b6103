/* hop_ladder.cu - the staggered hop from the portable kernel to the tuned one: shapes of tiles, neighbours counted or
 * looked up, links that leave the L1 cache to vectors, loads ahead of their use, and resident blocks.
 *
 * An H200, 32^4: both hops of the normal operator, microseconds for one of the systems.  Expected for one: bytes of
 * links, vectors and (portable, BY_TABLES) 64 of neighbours a site and hop, at the rate of a copy.  For 8 in single:
 * 24 bytes a system from L2 for each row of neighbours that is not in L1, and to store, and 144 of links, at 5.4 TB/s;
 * a block of 128 sites misses 10 rows of 16, one of 64x4x2 sites 9, as the hops over three sites come first and what
 * they have brought is gone when those over one site begin.  In half: 38 of instructions, 46 of L2.
 *
 *                                          one system                      8 systems
 *                               single   half  double  int30    single   half  int20  double  int30
 *     floor                        296    150     592    296        47     26     26      95     47
 *     portable            expected 313    166     608    312        77
 *                         measured 343    197     651    326        88     78     99     202    136
 *     neighbours counted  expected 297    150     592    296        77
 *                         measured 312    165     621               76     79
 *     links past L1       measured 305    159     597    301        69     68            136
 *     64x4x1 sites                 312    158     609               70     64     68            112
 *     64x4x2 sites        expected                                  73     46
 *                         measured 314    159     597               71     63     68            186
 *     neighbours looked up in these                                 74     64
 *
 * Links past L1 paid most, and one index for the vectors of all systems (half, 8: 71 to 64).  What did not: loads ahead
 * of their use (AHEAD: registers spill, or fewer warps), systems on several threads that share links in L1 (92 to 122
 * for 8 in single), blocks that march along t with seven slices of vectors in shared memory (105 to 155: too few loads
 * in flight between barriers).  Build: make gpu-bench. */
#include "gpu/bench/ladder.h"
#include "gpu/hop_tiles.h"

#define LINKS_OF(f) (f == VECTOR_NATIVE ? LINK_NATIVE : f == VECTOR_INT30 ? LINK_FIXED32 : LINK_FIXED16)
#define TILE(f, n, run, z, t, how, blocks)                                                                             \
    { #run "x" #z "x" #t " " #how ", " #blocks, f, n,                                                                  \
      launch_hop<hop_way<f, LINKS_OF(f), n, run, z, t, how, blocks>> }
#define PORTABLE_STEP(f, n, suffix) { "portable", f, n, K(staggered_batch_hop_##n##suffix) }

#define DECLARE(suffix)                                                                                                \
    site_map_fn K(staggered_batch_hop_1##suffix);                                                                      \
    site_map_fn K(staggered_batch_hop_4##suffix);                                                                      \
    site_map_fn K(staggered_batch_hop_8##suffix);
extern "C" {
DECLARE()
#ifdef SINGLE
DECLARE(_half)
DECLARE(_int20)
#else
DECLARE(_int30)
#endif
}

#define ONE(f, suffix)                                                                                                 \
    PORTABLE_STEP(f, 1, suffix),                                                                                       \
    TILE(f, 1, 128, 1, 1, BY_TABLES, 8),                                                                               \
    TILE(f, 1, 128, 1, 1, PLAIN, 8),                                                                                   \
    TILE(f, 1, 128, 1, 1, STREAMED, 8),                                                                                \
    TILE(f, 1, 64, 4, 1, STREAMED, 4)

#define FOUR(f, suffix)                                                                                                \
    PORTABLE_STEP(f, 4, suffix),                                                                                       \
    TILE(f, 4, 128, 1, 1, STREAMED, 4),                                                                                \
    TILE(f, 4, 128, 1, 1, STREAMED, 6),                                                                                \
    TILE(f, 4, 64, 4, 1, STREAMED, 2),                                                                                 \
    TILE(f, 4, 64, 4, 1, STREAMED, 3),                                                                                 \
    TILE(f, 4, 64, 4, 1, STREAMED | AHEAD, 3),                                                                         \
    TILE(f, 4, 64, 4, 2, STREAMED, 1)

#define EIGHT(f, suffix)                                                                                               \
    PORTABLE_STEP(f, 8, suffix),                                                                                       \
    TILE(f, 8, 64, 4, 2, PLAIN, 1),                                                                                    \
    TILE(f, 8, 128, 1, 1, STREAMED, 4),                                                                                \
    TILE(f, 8, 64, 2, 1, STREAMED, 4),                                                                                 \
    TILE(f, 8, 64, 4, 1, STREAMED, 2),                                                                                 \
    TILE(f, 8, 64, 4, 1, STREAMED | BY_TABLES, 2),                                                                     \
    TILE(f, 8, 64, 4, 2, STREAMED, 1),                                                                                 \
    TILE(f, 8, 64, 4, 2, STREAMED | BY_TABLES, 1),                                                                     \
    TILE(f, 8, 64, 4, 2, STREAMED | AHEAD, 1),                                                                         \
    TILE(f, 8, 64, 4, 1, STREAMED | AHEAD, 2),                                                                         \
    TILE(f, 8, 64, 4, 1, STREAMED | AHEAD, 1)

#define FEW(f, suffix)                                                                                                 \
    PORTABLE_STEP(f, 1, suffix),                                                                                       \
    TILE(f, 1, 128, 1, 1, STREAMED, 4),                                                                                \
    PORTABLE_STEP(f, 8, suffix),                                                                                       \
    TILE(f, 8, 64, 4, 1, STREAMED, 1),                                                                                 \
    TILE(f, 8, 64, 4, 2, STREAMED, 1)

extern "C" const hop_step K(hop_ladder)[] = {
    ONE(VECTOR_NATIVE, ),
#ifdef SINGLE
    FOUR(VECTOR_NATIVE, ),
    EIGHT(VECTOR_NATIVE, ),
    ONE(VECTOR_HALF, _half),
    FOUR(VECTOR_HALF, _half),
    EIGHT(VECTOR_HALF, _half),
    FEW(VECTOR_INT20, _int20),
#else
    PORTABLE_STEP(VECTOR_NATIVE, 8, ),
    TILE(VECTOR_NATIVE, 8, 128, 1, 1, STREAMED, 2),
    TILE(VECTOR_NATIVE, 8, 64, 2, 2, STREAMED, 1),
    FEW(VECTOR_INT30, _int30),
#endif
    { 0 }
};
