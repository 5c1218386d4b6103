/* decimal.c - the double nearest to a decimal number of at most 19 digits.
 *
 *     w 10^e = w 5^e 2^e,   w < 2^64,   5^|e| < 2^64
 *
 * The product w 5^e has at most 128 bits.  For e < 0 the quotient of 127 and 64 bits has at least 63 bits, and its
 * remainder says whether bits follow.  Both are exact, so that rounding to the nearest double, ties to even, is too. */
#include "src/config/decimal.h"

#include <float.h>
#include <stdint.h>

#ifdef __SIZEOF_INT128__
/* ISO C has no integers of 128 bits; gcc and clang have them on every machine of 64 bits. */
__extension__ typedef unsigned __int128 wide;

enum { DIGITS_MOST = 19, POWER_MOST = 27 };

static const uint64_t powers_of_5[POWER_MOST + 1] = {
    1u, 5u, 25u, 125u, 625u, 3125u, 15625u, 78125u, 390625u, 1953125u, 9765625u, 48828125u, 244140625u, 1220703125u,
    6103515625u, 30517578125u, 152587890625u, 762939453125u, 3814697265625u, 19073486328125u, 95367431640625u,
    476837158203125u, 2384185791015625u, 11920928955078125u, 59604644775390625u, 298023223876953125u,
    1490116119384765625u, 7450580596923828125u,
};

/* The nearest double to (bits + a fraction) 2^exponent: `more` says that the fraction is not zero.  bits >= 2^62. */
static double rounded(uint64_t bits, bool more, int exponent)
{
    const int excess = 64 - __builtin_clzll(bits) - DBL_MANT_DIG;
    const uint64_t half = UINT64_C(1) << (excess - 1), rest = bits & (2 * half - 1);
    uint64_t kept = bits >> excess;
    kept += rest > half || (rest == half && (more || (kept & 1)));
    /* Exponents are far from the limits of a double. */
    union { uint64_t bits; double value; } scale = { .bits = (uint64_t)(exponent + excess + DBL_MAX_EXP - 1)
                                                             << (DBL_MANT_DIG - 1) };
    return (double)kept * scale.value;
}

static double product(uint64_t w, int power)
{
    const wide p = (wide)w * powers_of_5[power];
    const uint64_t high = (uint64_t)(p >> 64), low = (uint64_t)p;
    if (high == 0) {
        const int shift = __builtin_clzll(low);
        return rounded(low << shift, false, power - shift);
    }
    const int shift = __builtin_clzll(high);
    const wide shifted = p << shift;
    return rounded((uint64_t)(shifted >> 64), (uint64_t)shifted != 0, power + 64 - shift);
}

static double quotient(uint64_t w, int power)
{
    const int of_w = __builtin_clzll(w), of_5 = __builtin_clzll(powers_of_5[power]);
    const uint64_t by = powers_of_5[power] << of_5;
    const wide dividend = (wide)(w << of_w) << 63;
    const uint64_t q = (uint64_t)(dividend / by);
    return rounded(q, dividend != (wide)q * by, of_5 - of_w - 63 - power);
}

/* Append digits to *w; returns how many. */
static int take_digits(uint64_t *w, const char **s)
{
    const char *p = *s;
    uint64_t sum = *w;
    for (; *p >= '0' && *p <= '9'; p++)
        sum = 10 * sum + (uint64_t)(*p - '0');             /* wraps for numbers that are refused */
    const int digits = (int)(p - *s);
    *w = sum;
    *s = p;
    return digits;
}

/* "e-07" or nothing */
static bool take_exponent(int *power, const char **s)
{
    uint64_t size = 0;
    if (**s != 'e' && **s != 'E')
        return true;
    const bool negative = *++*s == '-';
    *s += **s == '-' || **s == '+';
    const int digits = take_digits(&size, s);
    if (digits == 0 || digits > 3)
        return false;
    *power += negative ? -(int)size : (int)size;
    return true;
}

/* The number of digits without zeros at the beginning: "0.00120" has 3. */
static int significant_digits(const char *s, int digits)
{
    for (; *s == '0' || *s == '.'; s++)
        digits -= *s == '0';
    return digits;
}

bool decimal_read(double *value, const char *s)
{
    uint64_t w = 0;
    int behind = 0;
    const bool negative = *s == '-';
    s += *s == '-' || *s == '+';
    const char *begin = s;
    const int before = take_digits(&w, &s);
    if (*s == '.') {
        s++;
        behind = take_digits(&w, &s);
    }
    const int digits = before + behind;
    int power = -behind;
    if (digits == 0 || (*begin == '0' && before > 1)
        || (digits > DIGITS_MOST && significant_digits(begin, digits) > DIGITS_MOST) || !take_exponent(&power, &s) || *s
        || power < -POWER_MOST || power > POWER_MOST)
        return false;
    const double size = w == 0 ? 0 : power < 0 ? quotient(w, -power) : product(w, power);
    *value = negative ? -size : size;
    return true;
}

#else

bool decimal_read(double *value, const char *s)
{
    (void)value;
    (void)s;
    return false;
}

#endif
