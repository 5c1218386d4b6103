/* number_row.h - the numbers of a struct, passed one after the other: out into a row, or back from it.
 *
 *     static void facts_row(facts *f, number_row *r)
 *     {
 *         number_row_int64(r, &f->solves);
 *         number_row_real(r, &f->residual);
 *     }
 *
 * One function does both ways, so that they cannot differ.  Integers must be below 2^53. */
#ifndef KILN_BASE_NUMBER_ROW_H
#define KILN_BASE_NUMBER_ROW_H

#include <stdbool.h>
#include <stdint.h>

/* Writing: starts from { 0 }, `value` grows.  Reading: `value`, `count` of them, are there; what is past the last one
 * is left as it is, and counted in `next`, too. */
typedef struct { bool reading; double *value; int64_t count, next; } number_row;

void number_row_real(number_row *r, double *x);
void number_row_int64(number_row *r, int64_t *x);
void number_row_int(number_row *r, int *x);
void number_row_bool(number_row *r, bool *x);
void number_row_rewind(number_row *r);         /* a row that was written is read from its start */
void number_row_free(number_row *r);

#endif
