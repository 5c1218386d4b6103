/* wilson_textures.h - the hop of Wilson quarks on 16-bit numbers with other conversions to float, for the ladder: by
 * texture units, and for links by fewer instructions.
 *
 * A texture of linear memory with normalized reads returns n / 32767 for a number n of 16 bits.  A texel has two or
 * four such numbers.  Links read in this way are in units of 1, not of 1 / FIXED16_ONE, and their third row needs no
 * factor. */
#ifndef KILN_GPU_BENCH_WILSON_TEXTURES_H
#define KILN_GPU_BENCH_WILSON_TEXTURES_H

#include "gpu/bench/wilson_trial_site.h"

#ifdef SINGLE

#include <stdlib.h>

/* Textures of links and vectors (in[0]) with texels of four numbers, and of vectors with texels of two; first_*: the
 * texel where site 0 begins, since textures begin at multiples of TEXTURE_ALIGNMENT. */
enum { TEXTURE_ALIGNMENT = 512, TEXEL_4 = 8, TEXEL_2 = 4, VECTOR_BYTES = 16 };
typedef struct {
    cudaTextureObject_t links, vectors, colors;
    int first_link, first_vector, first_color;
} hop_textures;

static bool make_texture(cudaTextureObject_t *texture, int *first, const void *data, size_t bytes, int texel)
{
    const size_t before = (uintptr_t)data % TEXTURE_ALIGNMENT;
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = (char *)data - before;
    resource.res.linear.sizeInBytes = bytes + before;
    resource.res.linear.desc = texel == TEXEL_4 ? cudaCreateChannelDesc<short4>() : cudaCreateChannelDesc<short2>();
    how.readMode = cudaReadModeNormalizedFloat;
    *first = (int)(before / (size_t)texel);
    return cudaCreateTextureObject(texture, &resource, &how, NULL) == cudaSuccess;
}

/* Textures of the links and of in[0], for one process without ghosts; NULL if the device refuses. */
static hop_textures *make_textures(const wilson_hop_args *a)
{
    const size_t links = (size_t)site_count(&a->l) * 4 * FIXED16_12_WORDS * sizeof(uint32_t);
    const size_t vectors = (size_t)a->in[0].slab_sites * SPINS * VECTOR_BYTES;
    hop_textures *t = (hop_textures *)calloc(1, sizeof *t);
    if (t && (a->l.ghosts > 0 || !make_texture(&t->links, &t->first_link, a->u.data, links, TEXEL_4)
              || !make_texture(&t->vectors, &t->first_vector, a->in[0].data, vectors, TEXEL_4)
              || !make_texture(&t->colors, &t->first_color, a->in[0].data, vectors, TEXEL_2))) {
        free(t);
        return NULL;
    }
    return t;
}

static void destroy_textures(hop_textures *t)
{
    cudaDestroyTextureObject(t->links);
    cudaDestroyTextureObject(t->vectors);
    cudaDestroyTextureObject(t->colors);
    free(t);
}

/* ---- links */

static __device__ __forceinline__ su3 rows_of(const float *n)
{
    su3 m;
    UNROLL_LOOP
    for (int k = 0; k < 6; k++) {
        m.e[k / 3][k % 3].re = n[2 * k];
        m.e[k / 3][k % 3].im = n[2 * k + 1];
    }
    return su3_third_row(m);
}

/* A link of fixed16_12, in units of 1 (link_storage.h). */
static __device__ __forceinline__ su3 textured_link(const hop_textures &t, int x, int mu)
{
    enum { TEXELS = SITE_TILE * FIXED16_12_WORDS / 2 };    /* of a direction in a tile */
    const int lane = place_in_tile(x), first = t.first_link + (tile_of(x) * 4 + mu) * TEXELS;
    const float4 q[3] = { tex1Dfetch<float4>(t.links, first + 2 * lane),
                          tex1Dfetch<float4>(t.links, first + 2 * lane + 1),
                          tex1Dfetch<float4>(t.links, first + 2 * SITE_TILE + lane) };
    float n[12];
    UNROLL_LOOP
    for (int i = 0; i < 3; i++) {
        n[4 * i] = q[i].x;
        n[4 * i + 1] = q[i].y;
        n[4 * i + 2] = q[i].z;
        n[4 * i + 3] = q[i].w;
    }
    return rows_of(n);
}

/* A link of fixed16_12, with the same bits as link_from_words. */
template <int HOW>
static __device__ __forceinline__ su3 quick_link(const bits *w, uint32_t low_bits)
{
    float n[12];
    UNROLL_LOOP
    for (int i = 0; i < FIXED16_12_WORDS; i++) {
        if (HOW & CONVERTED_LINKS) {
            n[2 * i] = (float)(short)(w[i] & 0xffffu);
            n[2 * i + 1] = (float)(short)(w[i] >> 16);
        } else {
            n[2 * i] = real_of_bits((w[i] & 0xffffu) ^ low_bits) - 8421376.0f;                       /* 2^23 + 2^15 */
            n[2 * i + 1] = real_of_bits((uint32_t)(((int)w[i] >> 16) + HALF_HIGH_BITS)) - 12582912.0f;  /* 1.5 2^23 */
        }
    }
    su3 m = rows_of(n);
    UNROLL_LOOP
    for (int j = 0; j < 3; j++) {
        m.e[2][j].re = (float)(1 / FIXED16_ONE) * m.e[2][j].re;
        m.e[2][j].im = (float)(1 / FIXED16_ONE) * m.e[2][j].im;
    }
    return m;
}

template <class WAY>
static __device__ __forceinline__ su3 trial_link(const wilson_hop_args &a, const hop_textures &t, uint32_t low_bits,
                                                 int x, int mu)
{
    if constexpr ((WAY::HOW & TEXTURED_LINKS) != 0)
        return textured_link(t, x, mu);
    const raw_link<WAY::LINKS> r = fetch_link<WAY::LINKS, WAY::HOW>(&a.u, site_at(x), mu);
    if constexpr ((WAY::HOW & (QUICK_LINKS | CONVERTED_LINKS)) != 0)
        return quick_link<WAY::HOW>(r.word, low_bits);
    return link_of<WAY::LINKS>(r);
}

/* ---- vectors: colors 0 and 1 by the texture, color 2 and the scale in one load of 8 bytes; or all three colors by
 * textures, and the scale by a load */

template <class WAY>
static __device__ __forceinline__ spinor textured_spinor(const wilson_hop_args &a, const hop_textures &t,
                                                         uint32_t low_bits, int x)
{
    spinor v;
    UNROLL_LOOP
    for (int spin = 0; spin < SPINS; spin++) {
        const int at = spin * a.in[0].slab_sites + x;
        const char *rest = (const char *)a.in[0].data + (size_t)at * VECTOR_BYTES + 8;
        const float4 q = tex1Dfetch<float4>(t.vectors, t.first_vector + 2 * at);
        color_vector c;
        if (WAY::HOW & TEXTURED_COLORS) {
            const float largest = __ldg((const float *)(rest + 4));
            const float2 z = tex1Dfetch<float2>(t.colors, t.first_color + 4 * at + 2);
            c.c[2].re = largest * z.x;
            c.c[2].im = largest * z.y;
            c.c[0].re = largest * q.x;
            c.c[0].im = largest * q.y;
            c.c[1].re = largest * q.z;
            c.c[1].im = largest * q.w;
        } else {
            const uint2 w = __ldg((const uint2 *)rest);
            const bits third[4] = { 0, 0, w.x, w.y };
            c.c[2] = numbers_of_half(third, low_bits).c[2];
            const float largest = real_of_bits(w.y);
            c.c[0].re = largest * q.x;
            c.c[0].im = largest * q.y;
            c.c[1].re = largest * q.z;
            c.c[1].im = largest * q.w;
        }
        v.s[spin] = c;
    }
    return v;
}

template <class WAY>
static __device__ __forceinline__ spinor trial_spinor(const wilson_hop_args &a, const hop_textures &t,
                                                      const tile_site &x, int to)
{
    constexpr vector_format F = WAY::FORMAT;
    if constexpr ((WAY::HOW & TEXTURED_VECTORS) != 0)
        return textured_spinor<WAY>(a, t, x.low_bits, to);
    raw_spinor<F> r;
    const char *first = (const char *)a.in[0].data - x.ghost_bytes + (uint32_t)offset_of<F>(to + a.l.ghosts);
    UNROLL_LOOP
    for (int spin = 0; spin < SPINS; spin++)
        r.s[spin] = raw_at<F>(first + (size_t)spin * x.slab, place_in_tile(to + a.l.ghosts));
    return numbers_of<WAY>(r, x.low_bits);
}

template <class WAY>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::RESIDENT)
trial_hop(const __grid_constant__ wilson_hop_args a, const __grid_constant__ hop_grid g,
          const __grid_constant__ hop_textures t)
{
    const hop_place p = WAY::place(a.l, g, this_block());
    if (!batch_is_going(&a.b) || !p.there)
        return;
    const tile_site x = trial_site<WAY>(a, p);
    spinor sum = spinor_zero();
    UNROLL_LOOP
    for (int k = 0; k < 8; k++) {
        const int to = hop_from<WAY::HOW>(a.l, g, p, k / 2, k % 2 ? -1 : 1);
        const su3 u = trial_link<WAY>(a, t, x.low_bits, k % 2 ? to : p.index, k / 2);
        const half_spinor h = projected(k / 2, plus_of<false>(k), trial_spinor<WAY>(a, t, x, to));
        sum = expanded(k / 2, plus_of<false>(k), across_boundary(x, k, carried_by(u, k, h)), sum);
    }
    end_site<WAY, WILSON_HOP>(a, 0, x, site_at(p.index), sum);
}

/* z[0].data is the result of make_textures, if textures are used. */
template <class WAY>
static void launch_trial(const void *args, site_range range, void *stream)
{
    wilson_hop_args a = *(const wilson_hop_args *)args;
    const hop_grid g = WAY::grid(&a, range);
    hop_textures t = {};
    if (WAY::HOW & (TEXTURED_LINKS | TEXTURED_VECTORS))
        t = *(const hop_textures *)a.z[0].data;
    if (WAY::HOW & TEXTURED_LINKS)
        a.scale *= FIXED16_ONE;
    trial_hop<WAY><<<g.blocks, WAY::THREADS, 0, (cudaStream_t)stream>>>(a, g, t);
}

#endif

#endif
