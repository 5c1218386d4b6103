/* dwf_ladder.cu - the hop of domain-wall quarks from the portable kernel to the tuned one: shapes of tiles, threads of
 * a block, resident blocks, and numbers that a thread has in the fifth dimension.
 *
 * An H200, 24^3x48, Ls = 12, 2026-11-21: microseconds of C, which is two hops with the fifth dimension.  The floor
 * counts 5 spinors, the links twice in 12 numbers, and tables of neighbors, at the 4184 GB/s of a copy; a spinor has
 * 64 bytes in half and int20, and 96 in int30.  Columns: every slice reads links; addresses are computed once for all
 * slabs of a neighbor, and a thread has two numbers in the fifth dimension; links of a tile are in shared memory for
 * all slices, and sums in the precision of the arithmetic; offsets of neighbors are in shared memory too, half is
 * unpacked in three instructions a number, rows of tables and several sums are moved at once; a thread computes the
 * offset of its site once, and loads y before the fifth dimension.  Only the last form is in the code.
 *
 *              tile, threads, blocks, numbers    every slice  once counted  shared links  shared places  early y  floor
 *     single   32x1x1, 384, 2, 2                        1658          1452          1061           1080     1069    523
 *              32x1x1, 384, 2, 4                                                                   1050     1045
 *              32x1x1, 192, 3, 4                                      1175          1112           1068      984 *
 *              32x1x1, 192, 4, 4                                                    1276           1164     1168
 *              16x1x1, 192, 4, 4                                                                            1147
 *              32x2x1, 768, 1, 2                                                                   1227
 *              64x1x1, 768, 1, 2                                                    1403           1265
 *     half     32x1x1, 384, 2, 4                        1488          1296          1142            993      997    370
 *              32x1x1, 192, 3, 4                                      1262          1110            941      823 *
 *              the same, 2 numbers                                                                  988      885
 *              the same, unpacked as elsewhere                                                     1048
 *              32x1x1, 192, 4, 4                                                    1191           1001      998
 *              16x1x1, 96, 6, 4                                                                              873
 *              16x2x1, 192, 3, 4                                                                             844
 *              8x4x1, 192, 3, 4                                                                              865
 *     int20    32x1x1, 192, 3, 4                                                    1131           1129     1046 *  370
 *     double   32x1x1, 384, 1, 2                        2559                        2169           2153     2093   1040
 *              32x1x1, 192, 2, 2                        2294          2181          2280           2341     2294
 *              16x1x1, 192, 2, 2                                                                            1982 *
 *              16x1x1, 96, 3, 2                                                                             2127
 *     int30    32x1x1, 384, 1, 2                        2419                        2249           2122     2018    584
 *              32x1x1, 192, 2, 2                        2160          2138          1943           1893     1672 *
 *              16x1x1, 192, 2, 2                                                                            1835
 *     * used in dwf_hop.cu
 *
 * Two slices a thread, with links in registers for both, were slower in every form (the last: single 1253, half 1238,
 * double 2838); so were two rows of links instead of three (single 1350, half 999) and the fifth dimension in two or
 * four rounds with less shared memory (single 1111 and 1190, half 1046 and 1152).  Stores that bypass the caches took
 * the same time.  Slabs of 1.5, 6 and 12 MB instead of 3 took, in single, 1074, 1039 and 1127 (3 MB: 1045), in half
 * 840, 823 and 824 (823), in double 2134, 2122 and 2161 (2093).
 *
 * Half, loads of a group of slices before the first is stored in the fifth dimension (2026-11-29; 192, 3: 831 in this
 * run): groups of 2: 814; of 4, with a uniform number of the warp: 797 (predicted 780).  With Ls = 16 on 16^3x32 243,
 * groups of 4: 231; with 256 threads and 2 blocks 226.  4 to 7 % are less than a change must gain: not in
 * the code.  Bulk copies of the links of a later block into the L2 cache were slower.
 *
 * Limits, by hardware counters.  Single: a hop reads 2.7 GB from the L2 cache, at 78 % of its peak rate; 16 to 22 % of
 * the requests hit L1, with larger tiles too, because the sums leave no space in L1 for data that are used again later.
 * Double: the same, 5.2 GB and 79 %; of two blocks of 16 sites one computes while the other waits at a barrier, which
 * is 6 % faster than one block of 32.  Half: instructions, 2320 for a site and slice (3922 at first, 3030 with shared
 * links; 1584 are products, sums, loads and unpacking), in 71 % of the issue slots; registers and shared memory suffice
 * for 18 warps on a multiprocessor.
 *
 * The division between L1 and shared memory matters: shared memory gets what the resident blocks
 * need.  With 25 % for shared memory, one block was resident in single: 3068.
 * Build: make gpu-bench. */
#include "gpu/bench/ladder.h"
#include "gpu/dwf_launch.h"

template <class WAY>
static bool fits(const dwf_hop_args *a)
{
    return dwf_fits<WAY>(&a->l, a->k, a->Ls);
}

#define TILE(f, run, z, t, threads, blocks, columns)                                                                   \
    { #run "x" #z "x" #t ", " #threads ", " #blocks ", " #columns, f,                                                  \
      launch_dwf<dwf_way<f, run, z, t, threads, blocks, columns>>,                                                     \
      fits<dwf_way<f, run, z, t, threads, blocks, columns>> }
#define PORTABLE_STEP(f, suffix) { "portable", f, K(dwf_hop_sites##suffix), 0 }

extern "C" {
site_map_fn K(dwf_hop_sites);
#ifdef SINGLE
site_map_fn K(dwf_hop_sites_half);
site_map_fn K(dwf_hop_sites_int20);
#else
site_map_fn K(dwf_hop_sites_int30);
#endif
}

extern "C" const dwf_step K(dwf_ladder)[] = {
    PORTABLE_STEP(VECTOR_NATIVE, ),
#ifdef SINGLE
    TILE(VECTOR_NATIVE, 32, 1, 1, 384, 2, 2),
    TILE(VECTOR_NATIVE, 32, 1, 1, 384, 2, 4),
    TILE(VECTOR_NATIVE, 32, 1, 1, 192, 3, 4),
    TILE(VECTOR_NATIVE, 32, 1, 1, 192, 4, 4),
    TILE(VECTOR_NATIVE, 16, 1, 1, 192, 4, 4),
    PORTABLE_STEP(VECTOR_HALF, _half),
    TILE(VECTOR_HALF, 32, 1, 1, 384, 2, 4),
    TILE(VECTOR_HALF, 32, 1, 1, 192, 3, 4),
    TILE(VECTOR_HALF, 32, 1, 1, 192, 3, 2),
    TILE(VECTOR_HALF, 32, 1, 1, 192, 4, 4),
    TILE(VECTOR_HALF, 16, 1, 1, 96, 6, 4),
    TILE(VECTOR_HALF, 16, 2, 1, 192, 3, 4),
    TILE(VECTOR_HALF, 8, 4, 1, 192, 3, 4),
    PORTABLE_STEP(VECTOR_INT20, _int20),
    TILE(VECTOR_INT20, 32, 1, 1, 192, 3, 4),
#else
    TILE(VECTOR_NATIVE, 32, 1, 1, 384, 1, 2),
    TILE(VECTOR_NATIVE, 32, 1, 1, 192, 2, 2),
    TILE(VECTOR_NATIVE, 16, 1, 1, 192, 2, 2),
    TILE(VECTOR_NATIVE, 16, 1, 1, 96, 3, 2),
    PORTABLE_STEP(VECTOR_INT30, _int30),
    TILE(VECTOR_INT30, 32, 1, 1, 384, 1, 2),
    TILE(VECTOR_INT30, 32, 1, 1, 192, 2, 2),
    TILE(VECTOR_INT30, 16, 1, 1, 192, 2, 2),
#endif
    { 0 }
};
