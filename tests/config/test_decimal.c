/* test_decimal.c - the fast reader of decimal numbers makes the same double as strtod, bit for bit. */
#include "src/config/decimal.h"
#include "src/config/number.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_fast;

/* Whether both agree, or the fast reader leaves the text to strtod. */
static bool agrees(const char *s)
{
    double value = NAN, expected = strtod(s, NULL);
    if (!decimal_read(&value, s))
        return true;
    read_fast++;
    const bool same = memcmp(&value, &expected, sizeof value) == 0;
    if (!same)
        note("%s: %a, but strtod reads %a", s, value, expected);
    return same;
}

static uint64_t random_bits(uint64_t *seed)
{
    uint64_t bits = 0;
    for (int i = 0; i < 4; i++)
        bits = bits << 16 | (uint64_t)(65536 * scratch_uniform(seed));
    return bits;
}

/* Doubles of all exponents as printf writes them, with 1 to 19 digits. */
static void printed_numbers(uint64_t seed)
{
    enum { NUMBERS = 400000 };
    bool all = true, narrow = true;
    char words[64];
    for (int i = 0; i < NUMBERS; i++) {
        const uint64_t bits = random_bits(&seed);
        double any;
        memcpy(&any, &bits, sizeof any);
        if (!isfinite(any))
            continue;
        snprintf(words, sizeof words, "%.*g", 1 + i % 19, any);
        all = agrees(words) && all;
        snprintf(words, sizeof words, "%.17g", ldexp(scratch_uniform(&seed) - 0.5, i % 48 - 24));
        narrow = agrees(words) && narrow;
    }
    fact(all, "doubles of any exponent, with 1 to 19 digits");
    read_fast = 0;
    for (int i = 0; i < NUMBERS; i++) {
        snprintf(words, sizeof words, "%.17g", scratch_uniform(&seed) - 0.5);
        narrow = agrees(words) && narrow;
    }
    fact(narrow, "numbers of the order of one, with 17 digits");
    fact(read_fast > NUMBERS * 0.99, "nearly all of which the fast reader reads");
}

/* The middle between two doubles, and its neighbours in the last digit. */
static void ties(uint64_t seed)
{
    bool same = true;
    char words[64];
    read_fast = 0;
    for (int i = 0; i < 100000; i++) {
        const uint64_t middle = random_bits(&seed) >> 10 | 1 | UINT64_C(1) << 53;     /* 54 bits, odd */
        const int halvings = i % 4;                        /* of a number with at most 19 digits */
        const uint64_t digits = (middle >> halvings | 1) * (uint64_t[]){ 1, 5, 25, 125 }[halvings];
        for (int d = -1; d <= 1; d++) {
            snprintf(words, sizeof words, "%llue-%d", (unsigned long long)digits + (unsigned)d, halvings);
            same = agrees(words) && same;
        }
    }
    fact(same, "numbers in the middle between two doubles, and beside it");
    fact(read_fast > 250000, "which are read");
    same = true;
    for (int p = -30; p <= 30; p++)
        for (int i = 0; i < 2000; i++) {
            snprintf(words, sizeof words, "%llue%d", (unsigned long long)(random_bits(&seed) >> i % 64), p);
            same = agrees(words) && same;
        }
    fact(same, "integers of up to 64 bits times powers of ten");
}

static const char *const written[] = {
    "0", "-0", "0.0", "-0e5", "1", "-1", "+1", "1.", ".5", "-.5", "1e22", "1e23", "1e27", "1e28", "9007199254740993",
    "9007199254740992.5", "9007199254740991e1", "18446744073709551615", "9999999999999999999", "1e-27", "3e-28", "1e0",
    "0.00000000000000000000000000001", "0.0001234567890123456789", "0.000000000000000000123456789", "1E+2", "1e0002",
    "8.5e-27", "5e-324", "1.7976931348623157e308", "6929001713869936e236", "1.00000000000000011102230246251565404",
    "0.1", "0.3", "123456789012345678901234567890", "1e1000", "1e-1000", "1e99999999999999999999",
};

static const char *const others[] = {
    "", "-", "+", ".", "e5", "1e", "1e+", "1e-", "01", "-00.5", "0x10", "1.2.3", "1 ", " 1", "nan", "inf", "1_000",
    "--1", "1e5.0", "1d5", "+-1",
};

/* The shortest of 15 to 17 digits that strtod reads as the same double. */
static bool prints_shortest(double value)
{
    char digits[32];
    text printed = { 0 };
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    number_add_real(&printed, value);
    const bool same = strcmp(text_string(&printed), digits) == 0;
    if (!same)
        note("%s is printed as %s", digits, text_string(&printed));
    text_free(&printed);
    return same;
}

static void numbers_with_few_decimals(uint64_t seed)
{
    bool all = prints_shortest(0) && prints_shortest(1e-4) && prints_shortest(999999.999999);
    for (int i = 0; i < 200000; i++) {
        const double whole = floor(2e6 * scratch_uniform(&seed)) * (i % 7 ? 1 : 1000), power = pow(10, i % 12);
        all = prints_shortest(whole / power) && prints_shortest(-whole / power) && all;
        all = prints_shortest(nextafter(whole / power, i % 2)) && all;
    }
    fact(all, "numbers are printed with the fewest digits, those with few decimals too");
}

int main(void)
{
    bool same = true;
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        same = agrees(written[i]) && same;
    fact(same, "numbers written by hand");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        double value;
        text hint = { 0 };
        fact(!decimal_read(&value, others[i]) && !number_read_real(others[i], &value, &hint), "\"%s\" is not a number",
             others[i]);
        text_free(&hint);
    }
    printed_numbers(5);
    ties(7);
    numbers_with_few_decimals(9);
    return facts_end();
}
