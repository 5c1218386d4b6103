/* number.h - numbers in inputs: plain decimal, no spelling that two YAML readers could read as
 * two values (hexadecimal, leading zeros, separators, NaN, infinities). */
#ifndef KILN_CONFIG_NUMBER_H
#define KILN_CONFIG_NUMBER_H

#include "src/base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* False if `s` is not such a number; then `hint` gets what to write instead, if that is known. */
bool number_read_integer(const char *s, int64_t *value, text *hint);
bool number_read_real(const char *s, double *value, text *hint);

/* Append `value` with the fewest digits (17 at most) that read back as the same bits. */
void number_add_real(text *out, double value);

#endif
