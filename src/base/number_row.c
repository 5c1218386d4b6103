/* number_row.c - write numbers to a row, or read them from it. */
#include "src/base/number_row.h"

#include "src/base/error.h"

#include <stdlib.h>

static void append_number(number_row *r, double x)
{
    enum { STEP = 64 };
    if (r->count % STEP == 0) {
        r->value = realloc(r->value, (size_t)(r->count + STEP) * sizeof *r->value);
        require(r->value != NULL, "out of host memory for an array of %lld numbers", (long long)r->count);
    }
    r->value[r->count++] = x;
}

/* Reads the next number; false if there is none. */
static bool read_number(number_row *r, double *x)
{
    bool there = r->next < r->count;
    if (there)
        *x = r->value[r->next];
    r->next++;
    return there;
}

void number_row_real(number_row *r, double *x)
{
    if (r->reading)
        read_number(r, x);
    else
        append_number(r, *x);
}

void number_row_int64(number_row *r, int64_t *x)
{
    double value = (double)*x;
    number_row_real(r, &value);
    if (r->reading)
        *x = (int64_t)value;
}

void number_row_int(number_row *r, int *x)
{
    int64_t value = *x;
    number_row_int64(r, &value);
    *x = (int)value;
}

void number_row_bool(number_row *r, bool *x)
{
    int64_t value = *x;
    number_row_int64(r, &value);
    *x = value != 0;
}

void number_row_rewind(number_row *r)
{
    r->reading = true;
    r->next = 0;
}

void number_row_free(number_row *r)
{
    free(r->value);
    *r = (number_row){ 0 };
}
