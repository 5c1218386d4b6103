/* hop_ladder.cu - the staggered hop from the portable kernel to the tuned one: shapes of tiles, neighbors computed or
 * looked up, links that bypass the L1 cache, early loads, and resident blocks.
 *
 * Microseconds per system for both hops of the normal operator on 32^4, on an H200.  All numbers are from one run,
 * except the ones marked *, which an earlier version of the kernels gave in another run.  Runs differ by 2 %.
 *
 *                                          one system                      8 systems
 *                               single   half  double  int30    single   half  int20  double  int30
 *     floor                        296    150     592    296        47     26     26      95     47
 *     portable                     351    199     664    331        88     78     99     202    136
 *     128x1x1, looked up           334    184     646
 *     128x1x1, computed            319    167     631               76*    79*
 *     128x1x1, links past L1       312    161     608    305        69     68            136
 *     64x4x1, links past L1        312    158     609               70     64     68            112
 *     64x4x2, links past L1                                         71     63     68            186
 *     64x4x2, looked up                                             74     64
 *     64x4x2, loads ahead                                          145     66
 *     64x4x1, two systems a thread or four, links shared in L1  92 to 122*  90 to 94*
 *     blocks marching along t, vectors in shared memory        105 to 155* 115 to 158*
 *
 * Predictions.  A hop moves 1264 (single) or 672 (half) bytes per site.  64 of them are tables of neighbors: 5 and
 * 10 % of the time of one system.
 *
 * 8 systems in single precision: each system needs 16 rows of neighbors and reads 24 bytes per site from the L2 cache
 * for each row that is not in L1.  It also stores 24 bytes and reads 144 bytes of links, at 5.4 TB/s.  With 128x1x1,
 * 10 rows miss L1: 77 us.  With 64x4x2, 7 rows would miss: 64 us.  But L1 no longer has the data of the hops over three
 * sites when the hops over one site begin, so 9 rows miss: 73 us.  In half precision, instructions alone would take
 * 44 us and L2 alone 46 us; they do not overlap.
 *
 * Early loads make registers spill.  Blocks that march along t wait at barriers with too few loads in flight.
 *
 * QUICK (half, 4 and 8 systems): numbers of 16 bits in fewer instructions.  docs/performance.md ("Batches in half, with
 * fewer instructions") has the prediction, the measurement, and what else was tried.
 * Build: make gpu-bench. */
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

/* Numbers of 16 bits in fewer instructions (half_numbers.h). */
#ifdef SINGLE
#define QUICK_TILES(n, blocks)                                                                                         \
    TILE(VECTOR_HALF, n, 64, 4, 1, STREAMED | QUICK, blocks),                                                          \
    TILE(VECTOR_HALF, n, 128, 2, 1, STREAMED | QUICK, blocks)
#endif

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
    QUICK_TILES(4, 3),
    EIGHT(VECTOR_HALF, _half),
    QUICK_TILES(8, 2),
    FEW(VECTOR_INT20, _int20),
#else
    PORTABLE_STEP(VECTOR_NATIVE, 8, ),
    TILE(VECTOR_NATIVE, 8, 128, 1, 1, STREAMED, 2),
    TILE(VECTOR_NATIVE, 8, 64, 2, 2, STREAMED, 1),
    FEW(VECTOR_INT30, _int30),
#endif
    { 0 }
};
