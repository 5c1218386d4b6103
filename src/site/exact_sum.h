/* exact_sum.h - sums that do not depend on the order of their terms, to the last bit.
 *
 * A term v with |v| < bound (a power of two) is cut into three integers of 36 bits,
 *     v = (w0 + w1 2^-36 + w2 2^-72) bound 2^-36,
 * and its digits below bound 2^-108 are dropped: what is dropped depends on the term alone.  The integers
 * of all terms are added in 64 bits, and integers add associatively: threads, blocks and processes may add
 * in any order.  A term with |v| >= bound, or NaN, is counted in `refused` and not added.
 *
 * 64 bits hold the sum of 2^27 such integers.  Before a cell is merged into another (by a block of a GPU or a
 * thread of a CPU), and after every SUM_TERMS terms, its carries go from the low to the middle to the high word.
 * So a cell is exact for up to 2^27 merges and any number of terms, while the sum is below 2^27 bounds.  The words
 * of a cell depend on the order of merges; after sum_cell_carry, cells with equal sums have equal words. */
#ifndef KILN_SITE_EXACT_SUM_H
#define KILN_SITE_EXACT_SUM_H

#include "src/site/target.h"

typedef struct { long long word[3]; long long refused; } sum_cell;   /* high, middle, low; starts from zero bits */

/* A maximum of numbers >= 0: the bits of a double, whose order as integers is their order as numbers. */
typedef struct { long long bits; long long refused; } max_cell;      /* starts from zero bits */

/* Where a kernel merges its sums and its maxima: arrays, borrowed. */
typedef struct { sum_cell *sum; max_cell *largest; } sum_cells;

enum { SUM_WIDTH = 36, SUM_TERMS = 1 << 26 };
#define SUM_WORD 68719476736.0             /* 2^36 */
#define SUM_RANGE 134217728.0              /* 2^27: |sum| < SUM_RANGE bound */

/* `per_bound` is 2^36 / bound. */
TARGET_FN void sum_cell_add(sum_cell *cell, double v, double per_bound)
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

/* The normal form: the same sum with middle and low word between 0 and 2^36 - 1. */
TARGET_FN void sum_cell_carry(sum_cell *cell)
{
    for (int i = 2; i > 0; i--) {
        cell->word[i - 1] += cell->word[i] >> SUM_WIDTH;            /* arithmetic shift */
        cell->word[i] &= (1LL << SUM_WIDTH) - 1;
    }
}

TARGET_FN void sum_cell_merge(sum_cell *into, sum_cell from)
{
    sum_cell_carry(&from);
    for (int i = 0; i < 3; i++)
        into->word[i] += from.word[i];
    into->refused += from.refused;
}

TARGET_FN void max_cell_add(max_cell *cell, double v)
{
    if (!(v >= 0 && v <= 1.7976931348623157e308))
        cell->refused++;
    else if (bits_of(v) > cell->bits)
        cell->bits = bits_of(v);
}

TARGET_FN void max_cell_merge(max_cell *into, max_cell from)
{
    if (from.bits > into->bits)
        into->bits = from.bits;
    into->refused += from.refused;
}

/* The bound for terms of size up to `largest`: the least power of two above it, limited to 2^-900 .. 2^1023, for which
 * units and factors of sums are finite and exact.  SUM_BOUND if `largest` is infinite or NaN. */
#define SUM_BOUND 16777216.0                  /* 2^24: the last bit kept is 2^-84 */

TARGET_FN double sum_bound_above(double largest)
{
    const int bias = 1023, least = -900;
    int biased = (int)(bits_of(largest) >> 52) & 2047, exponent = biased - bias + 1; /* largest < 2^exponent */
    if (biased == 2047)
        return SUM_BOUND;
    if (exponent < least)
        exponent = least;
    return number_of_bits((long long)((exponent < bias ? exponent : bias) + bias) << 52);
}

/* The bound of a sum of guessed size is this factor times the guess.  A term may be larger than the guess by this
 * factor, and the sum smaller by it: the sum is then about 2^-24 of the bound.  The digits that a term loses, below
 * 2^-108 of the bound, are below 2^-84 of the sum; those of 2^27 terms together are below 2^-57 of it. */
#define SUM_GUESS_MARGIN 4096.0               /* 2^12 */

TARGET_FN double sum_bound_guessed(double guess)
{
    return guess > 0 ? sum_bound_above(guess * SUM_GUESS_MARGIN) : SUM_BOUND;
}

/* The three words as one integer in units of bound 2^-108, rounded once, to nearest; NaN where terms were refused. */
TARGET_FN double sum_cell_value(const sum_cell *cell, double bound)
{
    const int width = SUM_WIDTH;
    const long long ones = (1LL << width) - 1;
    sum_cell normal = *cell;
    sum_cell_carry(&normal);
    long long low = normal.word[2], middle = normal.word[1], high = normal.word[0];
    double unit = bound / SUM_WORD;
    if (cell->refused)
        return number_of_bits(0x7ff8000000000000LL);
    int negative = high < 0;
    if (negative) {                                          /* the complement of all, plus one */
        low = (low ^ ones) + 1;
        middle = (middle ^ ones) + (low >> width);
        high = ~high + (middle >> width);
        low &= ones;
        middle &= ones;
    }
    while (high == 0 && (middle != 0 || low != 0)) {
        high = middle;
        middle = low;
        low = 0;
        unit /= SUM_WORD;
    }
    if (high == 0)
        return 0;
    /* `number` has 63 bits, from the leading one on.  Its last bit is also set if any lower bit is (`left`), so that
     * the conversion to double rounds to nearest. */
    int free = leading_zeros((unsigned long long)high) - 1, taken = free < width ? free : width, more = 0;
    long long left = middle & ((1LL << (width - taken)) - 1);
    long long number = high << taken | middle >> (width - taken);
    if (free > width) {
        more = free - width;                                 /* bits of `low` after all of `middle` */
        number = number << more | low >> (width - more);
        left = low & ((1LL << (width - more)) - 1);
    } else
        left |= low;
    number |= left != 0;
    unit *= number_of_bits((long long)(1023 - taken - more) << 52);
    return (double)(negative ? -number : number) * unit;
}

/* NaN where numbers were refused. */
TARGET_FN double max_cell_value(const max_cell *cell)
{
    return number_of_bits(cell->refused ? 0x7ff8000000000000LL : cell->bits);
}

#endif
