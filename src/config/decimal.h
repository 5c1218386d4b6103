/* decimal.h - the double nearest to a decimal number, in integer arithmetic: a few times faster than strtod.
 *
 * A record has hundreds of numbers a line and up to a million lines. */
#ifndef KILN_CONFIG_DECIMAL_H
#define KILN_CONFIG_DECIMAL_H

#include <stdbool.h>

/* The double that strtod makes of `s`, a number as number_read_real accepts it.  False for all other texts, and for
 * numbers with more than 19 digits or an exponent that the integers here cannot hold: use strtod for these. */
bool decimal_read(double *value, const char *s);

#endif
