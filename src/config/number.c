/* number.c - reads decimal numbers strictly, and suggests the right spelling of others. */
#include "src/config/number.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DIGITS "0123456789"

typedef enum { NO_NUMBER, WHOLE, DECIMAL, LEADING_ZERO } spelling;

static const char *after_sign(const char *s)
{
    return s + (*s == '+' || *s == '-');
}

/* [sign] digits [. digits] [e [sign] digits] */
static spelling spelling_of(const char *s)
{
    const char *start = after_sign(s), *p = start;
    size_t before = strspn(p, DIGITS), behind = 0;
    spelling found = before > 1 && *start == '0' ? LEADING_ZERO : WHOLE;
    p += before;
    if (*p == '.') {
        behind = strspn(++p, DIGITS);
        p += behind;
        found = found == WHOLE ? DECIMAL : found;
    }
    if (before + behind == 0)
        return NO_NUMBER;
    if (*p == 'e' || *p == 'E') {
        p = after_sign(p + 1);
        size_t exponent = strspn(p, DIGITS);
        if (exponent == 0)
            return NO_NUMBER;
        p += exponent;
        found = found == WHOLE ? DECIMAL : found;
    }
    return *p ? NO_NUMBER : found;
}

static bool is_not_finite_name(const char *s)
{
    static const char *const words[] = { "nan", "inf", "infinity" };
    const char *p = after_sign(s);
    p += *p == '.';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(p, words[i]) == 0)
            return true;
    return false;
}

static bool has_prefix(const char *s, char base)
{
    const char *p = after_sign(s);
    return p[0] == '0' && (p[1] | 0x20) == base && p[2];
}

/* Suggests what to write instead of a spelling that inputs do not allow. */
static void hint_at(text *hint, const char *s)
{
    const char *p = after_sign(s);
    size_t digits = strspn(p, DIGITS "."), grouped = strspn(p, DIGITS "_,'");
    if (is_not_finite_name(s))
        text_add(hint, "it must be finite");
    else if (has_prefix(s, 'x') || has_prefix(s, 'o'))
        text_add(hint, "write it in decimal");
    else if (spelling_of(s) == LEADING_ZERO)
        text_add(hint, "write it without leading zeros");
    else if (digits > 0 && grouped == strlen(p))
        text_add(hint, "write the digits without separators");
    else if (digits > 0 && (p[digits] | 0x20) == 'd' && p[digits + 1])
        text_add(hint, "write the exponent with e");
}

bool number_read_integer(const char *s, int64_t *value, text *hint)
{
    spelling found = spelling_of(s);
    if (found == WHOLE) {
        errno = 0;
        *value = strtoll(s, NULL, 10);
        if (errno != ERANGE)
            return true;
        text_add(hint, "it does not fit into 64 bits");
    } else if (found == DECIMAL) {
        const double exact = 9007199254740992.0;         /* 2^53: above it a double does not represent every integer */
        double real = strtod(s, NULL);
        if (real == floor(real) && fabs(real) <= exact)
            text_add(hint, "write %.0f", real);
    } else {
        hint_at(hint, s);
    }
    return false;
}

bool number_read_real(const char *s, double *value, text *hint)
{
    spelling found = spelling_of(s);
    if (found != WHOLE && found != DECIMAL) {
        hint_at(hint, s);
        return false;
    }
    errno = 0;
    *value = strtod(s, NULL);
    bool lost = errno == ERANGE && (isinf(*value) || *value == 0);      /* subnormal numbers are kept */
    if (lost)
        text_add(hint, "it is too %s for a double", isinf(*value) ? "large" : "small");
    return !lost;
}

/* Fast path of number_add_real for a number with at most six decimals, such as a mass: value = m / 10^k with an integer
 * m, whose digits are those to write.  False for other numbers. */
static bool add_few_decimals(text *out, double value)
{
    enum { DECIMALS_MOST = 6 };
    char digits[32], *p = digits + sizeof digits;
    int64_t power = 1, whole = 0;
    int decimals = 0;
    if (!(value >= 1e-4 && value < 1e6))                   /* others may have an exponent */
        return false;
    for (; decimals <= DECIMALS_MOST; decimals++, power *= 10) {
        whole = llround(value * (double)power);
        if ((double)whole / (double)power == value)
            break;
    }
    if (decimals > DECIMALS_MOST)
        return false;
    for (int n = 1; n <= decimals || n == 1 || whole > 0; n++, whole /= 10) {
        *--p = (char)('0' + whole % 10);
        if (n == decimals)
            *--p = '.';
    }
    if (*p == '.')
        *--p = '0';
    text_add_bytes(out, p, (size_t)(digits + sizeof digits - p));
    return true;
}

void number_add_real(text *out, double value)
{
    if (add_few_decimals(out, value))
        return;
    char digits[32];  /* a decimal number of at most 15 digits survives the conversion to a double and back */
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    text_add(out, "%s", digits);
}
