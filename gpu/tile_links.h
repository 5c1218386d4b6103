/* tile_links.h - the links of a tile of sites in shared memory, for slices or systems that share them. */
#ifndef KILN_GPU_TILE_LINKS_H
#define KILN_GPU_TILE_LINKS_H

#include "gpu/slab_vectors.h"

/* The eight links of each site of a tile in shared memory, in units of 16 bytes: unit[link][unit][SITES].  Whole
 * matrices in single precision (five units) and, in double, from fixed point (nine units); in double from 12 numbers,
 * only the two stored rows (six units). */
template <int SITES, link_format FORMAT>
struct tile_links {
    enum { WHOLE = !IN_DOUBLE || FORMAT != LINK_12, UNITS = !WHOLE ? 6 : IN_DOUBLE ? 9 : 5,
           EACH = 16 / sizeof(real), LINKS = 8 };
    static constexpr size_t bytes = (size_t)LINKS * UNITS * SITES * 16;

    static __device__ __forceinline__ void put(real *storage, int link, int at, su3 m)
    {
        UNROLL_LOOP
        for (int i = 0; i < UNITS * EACH; i++) {
            real *unit = storage + ((link * UNITS + i / EACH) * SITES + at) * EACH;
            const cplx z = m.e[i / 6 < 3 ? i / 6 : 0][i / 2 % 3];
            unit[i % EACH] = i % 2 ? z.im : z.re;
        }
    }
    static __device__ __forceinline__ su3 get(const real *storage, int link, int at)
    {
        real n[UNITS * EACH];
        UNROLL_LOOP
        for (int j = 0; j < UNITS; j++) {
            const real *unit = storage + ((link * UNITS + j) * SITES + at) * EACH;
            if constexpr (!IN_DOUBLE) {
                float4 q = *(const float4 *)unit;
                n[4 * j] = q.x;
                n[4 * j + 1] = q.y;
                n[4 * j + 2] = q.z;
                n[4 * j + 3] = q.w;
            } else {
                double2 q = *(const double2 *)unit;
                n[2 * j] = q.x;
                n[2 * j + 1] = q.y;
            }
        }
        if constexpr (WHOLE) {
            su3 m;
            UNROLL_LOOP
            for (int k = 0; k < 9; k++) {
                m.e[k / 3][k % 3].re = n[2 * k];
                m.e[k / 3][k % 3].im = n[2 * k + 1];
            }
            return m;
        } else
            return link_of_numbers(LINK_12, n);
    }
};

#endif
