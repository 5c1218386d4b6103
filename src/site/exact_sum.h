/* exact_sum.h - sums that do not depend on the order of their terms, to the last bit.
 *
 * A term v with |v| < bound (a power of two) is cut into three integers of 36 bits,
 *     v = (w0 + w1 2^-36 + w2 2^-72) bound 2^-36,
 * what lies below bound 2^-108 is dropped from the term (not from the sum: it depends on the term
 * alone).  The integers of all terms are added in 64 bits, which is exact for up to 2^27 = 134 million
 * terms; integers add associatively, so threads, blocks and processes may add in any order.
 * A term that is out of bound or not a number is counted in `refused`, never added. */
#ifndef KILN_SITE_EXACT_SUM_H
#define KILN_SITE_EXACT_SUM_H

typedef struct { long long word[3]; long long refused; } sum_cell;   /* starts from zero bits */

/* A maximum of numbers >= 0 lives in a cell too: word[0] holds the bits of a double, whose order as
 * integers is their order as numbers. */

#define SUM_WORD 68719476736.0             /* 2^36 */

#ifdef __CUDACC__
#define SUM_FN static __device__ __forceinline__
#else
#define SUM_FN static inline __attribute__((unused))
#endif

/* `per_bound` is 2^36 / bound. */
SUM_FN void sum_cell_add(sum_cell *cell, double v, double per_bound)
{
    double scaled = v * per_bound;
    if (!(scaled < SUM_WORD && scaled > -SUM_WORD)) {
        cell->refused++;
        return;
    }
    for (int i = 0; i < 3; i++) {
        long long word = (long long)scaled;            /* towards zero; the rest is exact */
        cell->word[i] += word;
        scaled = (scaled - (double)word) * SUM_WORD;
    }
}

SUM_FN void sum_cell_merge(sum_cell *into, const sum_cell *from)
{
    for (int i = 0; i < 3; i++)
        into->word[i] += from->word[i];
    into->refused += from->refused;
}

SUM_FN long long bits_of(double v)
{
#ifdef __CUDACC__
    return __double_as_longlong(v);
#else
    union { double number; long long bits; } u;
    u.number = v;
    return u.bits;
#endif
}

SUM_FN void max_cell_add(sum_cell *cell, double v)
{
    if (!(v >= 0 && v <= 1.7976931348623157e308))
        cell->refused++;
    else if (bits_of(v) > cell->word[0])
        cell->word[0] = bits_of(v);
}

SUM_FN void max_cell_merge(sum_cell *into, const sum_cell *from)
{
    if (from->word[0] > into->word[0])
        into->word[0] = from->word[0];
    into->refused += from->refused;
}

#endif
