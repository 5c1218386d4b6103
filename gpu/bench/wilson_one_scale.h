/* wilson_one_scale.h - the hop of Wilson quarks on spinors in half with one scale for all 24 numbers, 52 bytes, for the
 * ladder: measures the gain over one scale for each spin, 64 bytes.
 *
 * A number x is n = round(x / s), with s the largest size / 32767; word 3 spin + color has n of re and im, each as
 * n + 2^15 in 16 bits.  Fields are three slabs of four words a site, and then one of s.
 *
 * All numbers of a spinor have one scale, so 1 -+ gamma_mu acts on the integers, exactly; then each number of the
 * projected half spinor is multiplied by s: 48 instructions instead of 84. */
#ifndef KILN_GPU_BENCH_WILSON_ONE_SCALE_H
#define KILN_GPU_BENCH_WILSON_ONE_SCALE_H

#include "gpu/wilson_tiles.h"

#ifdef SINGLE

struct one_scale { uint32_t word[12]; float s; };

static __device__ __forceinline__ one_scale one_scale_at(const void *data, size_t sites, size_t place)
{
    one_scale r;
    UNROLL_LOOP
    for (int i = 0; i < 3; i++)
        words_from(r.word + 4 * i, (const uint32_t *)data + 4 * (i * sites + place), 4);
    r.s = ((const float *)data)[12 * sites + place];
    return r;
}

static __device__ __forceinline__ void put_one_scale(void *data, size_t sites, size_t place, spinor v)
{
    one_scale r;
    float largest = 0;
    UNROLL_LOOP
    for (int i = 0; i < 4; i++)
        UNROLL_LOOP
        for (int c = 0; c < 3; c++)
            largest = larger_size(largest, larger_size(v.s[i].c[c].re, v.s[i].c[c].im));
    const float per_unit = largest > 0 ? HALF_ONE / largest : 0, round = 8388608.0f + 32768.0f;
    UNROLL_LOOP
    for (int i = 0; i < 12; i++) {
        const cplx z = v.s[i / 3].c[i % 3];
        r.word[i] = __byte_perm(bits_of_real(z.re * per_unit + round), bits_of_real(z.im * per_unit + round), 0x5410);
    }
    UNROLL_LOOP
    for (int i = 0; i < 3; i++)
        words_to((uint32_t *)data + 4 * (i * sites + place), r.word + 4 * i, 4);
    ((float *)data)[12 * sites + place] = largest / HALF_ONE;
}

/* above: n + 2^15 + 2^23, of the low or high half of a word; below: n - 2^15 - 2^23 + 1. */
static __device__ __forceinline__ float above(uint32_t w, bool high)
{
    return real_of_bits(__byte_perm(w, 0x4b000000u, high ? 0x7632 : 0x7610));
}
static __device__ __forceinline__ float below(uint32_t w, bool high)
{
    return real_of_bits(__byte_perm(~w, 0xcb000000u, high ? 0x7632 : 0x7610));
}

/* s (n_u - n_v), s (n_u + n_v) */
static __device__ __forceinline__ float difference(float s, uint32_t u, bool u_high, uint32_t v, bool v_high)
{
    return s * (above(u, u_high) - above(v, v_high));
}
static __device__ __forceinline__ float total(float s, uint32_t u, bool u_high, uint32_t v, bool v_high)
{
    return mad(above(u, u_high) + below(v, v_high), s, -s);
}

/* vector_plus for integers: u + v, u - v, u + i v, u - i v. */
static __device__ __forceinline__ color_vector whole_plus(int what, const one_scale &r, int u_spin, int v_spin)
{
    color_vector h;
    UNROLL_LOOP
    for (int c = 0; c < 3; c++) {
        const uint32_t u = r.word[3 * u_spin + c], v = r.word[3 * v_spin + c];
        if (what < 2) {
            h.c[c].re = what == 0 ? total(r.s, u, false, v, false) : difference(r.s, u, false, v, false);
            h.c[c].im = what == 0 ? total(r.s, u, true, v, true) : difference(r.s, u, true, v, true);
        } else if (what == 2) {
            h.c[c].re = difference(r.s, u, false, v, true);
            h.c[c].im = total(r.s, u, true, v, false);
        } else {
            h.c[c].re = total(r.s, u, false, v, true);
            h.c[c].im = difference(r.s, u, true, v, false);
        }
    }
    return h;
}

/* spinor_project for integers. */
static __device__ __forceinline__ half_spinor whole_project(int mu, int flip, const one_scale &r)
{
    half_spinor h;
    const int what[2] = { mu == 0 || mu == 2 ? 3 - flip : mu == 1 ? flip : 1 - flip,
                          mu == 0 ? 3 - flip : mu == 2 ? 2 + flip : 1 - flip };
    h.s[0] = whole_plus(what[0], r, 0, mu < 2 ? 3 : 2);
    h.s[1] = whole_plus(what[1], r, 1, mu < 2 ? 2 : 3);
    return h;
}

template <class WAY>
static __global__ void __launch_bounds__(WAY::THREADS, WAY::RESIDENT)
one_scale_hop(const __grid_constant__ wilson_hop_args a, const __grid_constant__ hop_grid g)
{
    const hop_place p = WAY::place(a.l, g, this_block());
    if (!p.there)
        return;
    const size_t sites = (size_t)a.y[0].slab_sites;
    const int t = (int)(p.coordinates >> 48);
    tile_site x = {};
    x.first = a.l.origin[3] + t == 0;
    x.last = a.l.origin[3] + t == a.l.global[3] - 1;
    x.boundary = (real)a.boundary;
    spinor sum = spinor_zero();
    UNROLL_LOOP
    for (int k = 0; k < 8; k++) {
        spinor_neighbor<WAY> r;
        const int to = hop_from<WAY::HOW>(a.l, g, p, k / 2, k % 2 ? -1 : 1);
        r.link = fetch_link<WAY::LINKS, WAY::HOW>(&a.u, site_at(k % 2 ? to : p.index), k / 2);
        const one_scale there = one_scale_at(a.y[0].data, sites, (size_t)to);
        const half_spinor h = whole_project(k / 2, plus_of<false>(k), there);
        sum = expanded(k / 2, plus_of<false>(k), carried_from<WAY>(r, x, true, k, h), sum);
    }
    UNROLL_LOOP
    for (int i = 0; i < SPINS; i++)
        sum.s[i] = vector_scale((scalar)a.scale, sum.s[i]);
    put_one_scale(a.z[0].data, sites, (size_t)p.index, sum);
}

/* Converts `in` (one scale for each spin) to y, on even sites; if `back`, z to `out`, on odd sites. */
static __global__ void one_scale_copy(const __grid_constant__ wilson_hop_args a, bool back, site_range range)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const vector_view v = back ? a.out[0] : a.in[0], w = back ? a.z[0] : a.y[0];
    if (i >= range.sites)
        return;
    const size_t place = (size_t)(range.first + i);
    if (!back) {
        put_one_scale(w.data, (size_t)w.slab_sites, place, load_spinor_as(VECTOR_HALF, &v, site_at((int)place), 0));
        return;
    }
    const one_scale r = one_scale_at(w.data, (size_t)w.slab_sites, place);
    spinor s;
    UNROLL_LOOP
    for (int j = 0; j < 12; j++) {
        s.s[j / 3].c[j % 3].re = r.s * (above(r.word[j], false) - above(0x8000u, false));
        s.s[j / 3].c[j % 3].im = r.s * (above(r.word[j], true) - above(0x8000u, false));
    }
    UNROLL_LOOP
    for (int spin = 0; spin < SPINS; spin++)
        (void)store_vector_as(VECTOR_HALF, &v, site_in_slab(&v, spin, site_at((int)place)), s.s[spin]);
}

template <class WAY>
static void launch_one_scale(const void *args, site_range range, void *stream)
{
    const wilson_hop_args *a = (const wilson_hop_args *)args;
    const hop_grid g = WAY::grid(a, range);
    one_scale_hop<WAY><<<g.blocks, WAY::THREADS, 0, (cudaStream_t)stream>>>(*a, g);
}

/* The conversions before and after the hop, for wilson_climb.c. */
static void copy_one_scale(const wilson_hop_args *a, bool back, site_range range, void *stream)
{
    one_scale_copy<<<(unsigned)divide_up(range.sites, 128), 128, 0, (cudaStream_t)stream>>>(*a, back, range);
}

#endif

#endif
