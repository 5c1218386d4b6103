/* real_gpu.h - one thread, one site: a real is a scalar.  Included by real.h only. */
#ifndef KILN_SITE_REAL_GPU_H
#define KILN_SITE_REAL_GPU_H

enum { LANES = 1 };
typedef scalar real;
typedef bool mask;
typedef scalar_bits bits;

SITE_FN real fused(real a, real b, real c) { return fma(a, b, c); }
SITE_FN real spread(scalar s) { return s; }
SITE_FN real square_root(real a) { return sqrt(a); }
SITE_FN mask is_above(real a, real b) { return a > b; }
SITE_FN bool any_of(mask m) { return m; }
SITE_FN real choose(mask m, real yes, real no) { return m ? yes : no; }
SITE_FN scalar lane_of(real a, int lane) { (void)lane; return a; }
SITE_FN void set_lane(real *a, int lane, scalar value) { (void)lane; *a = value; }
SITE_FN bits spread_bits(scalar_bits b) { return b; }
SITE_FN mask bits_above(bits a, bits b) { return a > b; }
SITE_FN bits choose_bits(mask m, bits yes, bits no) { return m ? yes : no; }

/* The low or the high (literal `high`) 16 bits of a word of 32 bits, under `top`, whose low 16 bits are 0: in single
 * precision one instruction. */
SITE_FN bits sixteen_bits_under(scalar_bits top, bits w, int high)
{
    return sizeof(bits) == 4 ? (bits)__byte_perm((uint32_t)w, (uint32_t)(top >> 16), high ? 0x5432 : 0x5410)
                             : (w >> (high ? 16 : 0) & 0xffff) | top;
}

/* Load and store `width` (4, 2 or 1) words of 32 bits by one instruction. */
SITE_FN void words_from(bits *w, const uint32_t *memory, int width)
{
    if (width == 4) {
        uint4 u = *(const uint4 *)memory;
        w[0] = u.x;
        w[1] = u.y;
        w[2] = u.z;
        w[3] = u.w;
    } else if (width == 2) {
        uint2 u = *(const uint2 *)memory;
        w[0] = u.x;
        w[1] = u.y;
    } else
        w[0] = *memory;
}
SITE_FN void words_to(uint32_t *memory, const bits *w, int width)
{
    if (width == 4)
        *(uint4 *)memory = make_uint4((uint32_t)w[0], (uint32_t)w[1], (uint32_t)w[2], (uint32_t)w[3]);
    else if (width == 2)
        *(uint2 *)memory = make_uint2((uint32_t)w[0], (uint32_t)w[1]);
    else
        *memory = (uint32_t)w[0];
}

#endif
