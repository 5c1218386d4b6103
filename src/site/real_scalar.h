/* real_scalar.h - the CPU one site at a time, for kernels with scalar control flow (ONE_LANE).
 * Included by real.h only. */
#ifndef KILN_SITE_REAL_SCALAR_H
#define KILN_SITE_REAL_SCALAR_H

enum { LANES = 1 };
typedef scalar real;
typedef bool mask;
typedef scalar_bits bits;

SITE_FN real fused(real a, real b, real c)
{
#if defined __FMA__ || defined __FP_FAST_FMA     /* as real_vector.h */
    return sizeof(real) == sizeof(double) ? (real)__builtin_fma(a, b, c)
                                          : (real)__builtin_fmaf((float)a, (float)b, (float)c);
#else
    return a * b + c;
#endif
}
SITE_FN real spread(scalar s) { return s; }
SITE_FN real square_root(real a)
{
    return sizeof(real) == sizeof(double) ? (real)__builtin_sqrt(a) : (real)__builtin_sqrtf((float)a);
}
SITE_FN mask is_above(real a, real b) { return a > b; }
SITE_FN bool any_of(mask m) { return m; }
SITE_FN real choose(mask m, real yes, real no) { return m ? yes : no; }
SITE_FN scalar lane_of(real a, int lane) { (void)lane; return a; }
SITE_FN void set_lane(real *a, int lane, scalar value) { (void)lane; *a = value; }
SITE_FN bits spread_bits(scalar_bits b) { return b; }
SITE_FN mask bits_above(bits a, bits b) { return a > b; }
SITE_FN bits choose_bits(mask m, bits yes, bits no) { return m ? yes : no; }

/* The low or the high (literal `high`) 16 bits of words of 32 bits, under `top`, whose low 16 bits are 0. */
SITE_FN bits sixteen_bits_under(scalar_bits top, bits w, int high)
{
    return (w >> (high ? 16 : 0) & 0xffff) | top;
}

/* Load and store `width` (4, 2 or 1) words of 32 bits. */
SITE_FN void words_from(bits *w, const uint32_t *memory, int width)
{
    for (int i = 0; i < width; i++)
        w[i] = memory[i];
}
SITE_FN void words_to(uint32_t *memory, const bits *w, int width)
{
    for (int i = 0; i < width; i++)
        memory[i] = (uint32_t)w[i];
}

#endif
