/* slab_vectors.h - vectors of a format at addresses: the vectors of a spinor field are one slab apart, so that the
 * offset of a site is computed once for all slabs. */
#ifndef KILN_GPU_SLAB_VECTORS_H
#define KILN_GPU_SLAB_VECTORS_H

#include "gpu/hop_tiles.h"

/* Bytes of a slab of vectors; the offset of the vector of a site in a slab. */
template <vector_format F>
static __device__ __forceinline__ size_t slab_bytes(const vector_view *v)
{
    return (size_t)v->slab_sites * vector_bytes<F>();
}

template <vector_format F>
static __device__ __forceinline__ size_t offset_of(int x)
{
    const int lane = place_in_tile(x);
    return F == VECTOR_NATIVE ? (size_t)(x - lane) * vector_bytes<F>() + (size_t)lane * sizeof(real)
         : F == VECTOR_INT30 ? (size_t)(x - lane) * vector_bytes<F>() : (size_t)x * vector_bytes<F>();
}

/* A vector as it lies in memory. */
template <vector_format F>
static __device__ __forceinline__ raw_vector<F> raw_at(const char *address, int lane)
{
    raw_vector<F> r;
    if (F == VECTOR_NATIVE) {
        UNROLL_LOOP
        for (int i = 0; i < VECTOR_REALS; i++)
            *component(&r.numbers, i) = ((const real *)address)[i * SITE_TILE];
        return r;
    }
    words_from(r.word, (const uint32_t *)address + (F == VECTOR_INT30 ? 4 * lane : 0), 4);
    if (F == VECTOR_INT30)
        words_from(r.word + 4, (const uint32_t *)address + 4 * SITE_TILE + 2 * lane, 2);
    return r;
}

/* Stores v and returns it as it will be loaded. */
template <vector_format F>
static __device__ __forceinline__ color_vector put_vector(char *address, int lane, color_vector v, uint32_t low_bits)
{
    raw_vector<F> r;
    r.numbers = v;
    if (F == VECTOR_NATIVE) {
        UNROLL_LOOP
        for (int i = 0; i < VECTOR_REALS; i++)
            ((real *)address)[i * SITE_TILE] = *component(&v, i);
        return v;
    }
#ifdef SINGLE
    if (F == VECTOR_HALF)
        half_of_numbers(r.word, v);
    else
#endif
    if (F == VECTOR_INT20)
        pack_int20(r.word, v);
    else if (F == VECTOR_INT30)
        pack_int30(r.word, v);
    words_to((uint32_t *)address + (F == VECTOR_INT30 ? 4 * lane : 0), r.word, 4);
    if (F == VECTOR_INT30)
        words_to((uint32_t *)address + 4 * SITE_TILE + 2 * lane, r.word + 4, 2);
    return numbers_in<F>(r, low_bits);
}

#endif
