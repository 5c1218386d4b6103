/* usage.c - the ranges of options. */
#include "src/options/usage.h"

#include "src/config/number.h"

bool option_has_range(const option *o)
{
    return (o->type == OPTION_INT || o->type == OPTION_REAL) && (o->min != 0 || o->max != 0);
}

void option_add_range(text *out, const option *o)
{
    if (o->type == OPTION_INT) {
        text_add(out, "%.0f to %.0f", o->min, o->max);          /* 4294967295, not 4.29497e+09 */
        return;
    }
    number_add_real(out, o->min);
    text_add(out, " to ");
    number_add_real(out, o->max);
}
