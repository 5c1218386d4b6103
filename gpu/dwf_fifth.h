/* dwf_fifth.h - the fifth dimension of a tile of domain-wall quarks: sums over neighbors in shared memory, multiplied
 * by the matrices of dwf_args.h with the same bits as in fifth_in_place (dwf_hops.h). */
#ifndef KILN_GPU_DWF_FIFTH_H
#define KILN_GPU_DWF_FIFTH_H

#include "src/kernels/dwf_hops.h"

/* A row of the table, in the order of fifth_table. */
struct alignas(16) fifth_row { real d, e, h, g, a, r, unused[2]; };

/* Copies the table in the precision of the arithmetic: first the rows of one chirality, then of the other. */
static __device__ __forceinline__ void load_table(fifth_row *to, const fifth_table &k, int Ls)
{
    enum { KINDS = 6 };
    for (int i = (int)threadIdx.x; i < 2 * KINDS * Ls; i += (int)blockDim.x) {
        const int row = i / KINDS, kind = i % KINDS, c = row >= Ls, s = row - c * Ls;
        (&to[row].d)[kind] = (real)(&k.d[0][0])[(2 * kind + c) * SLICES_MAX + s];
    }
}

/* N numbers side by side in shared memory, 16 bytes at most. */
template <int N>
struct alignas(N * sizeof(real)) numbers { real n[N]; };

/* Sums of a tile in shared memory: real[slice][spin][6][SITES].  If SITES < 32, a warp works on two slices; padding
 * then puts them half of the banks apart. */
template <int SITES>
struct tile_sums {
    enum { SPIN = VECTOR_REALS * SITES, SLICE = SPINS * SPIN + (SITES < 32 ? SITES : 0) };

    static __device__ __forceinline__ void put(real *sums, int slice, int at, const spinor &v)
    {
        UNROLL_LOOP
        for (int i = 0; i < SPINS * VECTOR_REALS; i++) {
            const cplx z = v.s[i / VECTOR_REALS].c[i / 2 % 3];
            sums[slice * SLICE + i * SITES + at] = i % 2 ? z.im : z.re;
        }
    }
    static __device__ __forceinline__ color_vector get(const real *sums, int slice, int spin, int at)
    {
        color_vector v;
        UNROLL_LOOP
        for (int i = 0; i < VECTOR_REALS; i++)
            *component(&v, i) = sums[slice * SLICE + spin * SPIN + i * SITES + at];
        return v;
    }
};

/* Returns out_s (dwf_args.h) for COLUMNS numbers of a slice, from in_s, w and *p; advances *p to the next slice. */
template <int COLUMNS>
static __device__ __forceinline__ numbers<COLUMNS> fifth_step(const fifth_row &t, const numbers<COLUMNS> &in,
                                                              const numbers<COLUMNS> &w, numbers<COLUMNS> *p)
{
    numbers<COLUMNS> out;
    UNROLL_LOOP
    for (int j = 0; j < COLUMNS; j++) {
        real o = t.d * in.n[j];
        o = mad(t.e, p->n[j], o);
        out.n[j] = mad(t.h, w.n[j], o);
        p->n[j] = mad(t.a, in.n[j], t.r * p->n[j]);
    }
    return out;
}

/* Multiplies the sums of a tile by K, in place.  A thread has COLUMNS adjacent numbers of all slices; it loads those of
 * the next slice before it stores those of the present one. */
template <int SITES, int COLUMNS>
static __device__ __forceinline__ void fifth_of_tile(real *sums, const fifth_row *table, const fifth_table &k,
                                                     int Ls)
{
    typedef numbers<COLUMNS> some;
    enum { SLICE = tile_sums<SITES>::SLICE, EACH = SPINS / 2 * tile_sums<SITES>::SPIN / COLUMNS };
    for (int task = (int)threadIdx.x; task < 2 * EACH; task += (int)blockDim.x) {
        const int c = task / EACH;
        const bool up = k.up[c];
        const fifth_row *row = table + c * Ls;
        real *v = sums + task * COLUMNS;
        some w = {}, p = {};
        _Pragma("unroll 4")
        for (int s = 0; s < Ls; s++) {
            const some in = *(const some *)(v + s * SLICE);
            const real g = row[s].g;
            UNROLL_LOOP
            for (int j = 0; j < COLUMNS; j++)
                w.n[j] = mad(g, in.n[j], w.n[j]);
        }
        const int step = up ? SLICE : -SLICE, next_row = up ? 1 : -1;
        v += up ? 0 : (Ls - 1) * SLICE;
        row += up ? 0 : Ls - 1;
        some in = *(const some *)v;
        fifth_row t = *row;
        _Pragma("unroll 2")
        for (int i = 0; i < Ls; i++) {
            some next = in;
            fifth_row then = t;
            if (i + 1 < Ls) {
                next = *(const some *)(v + step);
                then = row[next_row];
            }
            *(some *)v = fifth_step<COLUMNS>(t, in, w, &p);
            in = next;
            t = then;
            v += step;
            row += next_row;
        }
    }
}

#endif
