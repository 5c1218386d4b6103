/* number_row.h - write the numbers of a struct to a row, or read them from it.
 *
 *     static void facts_row(facts *f, number_row *r)
 *     {
 *         number_row_int64(r, &f->solves);
 *         number_row_real(r, &f->residual);
 *     }
 *
 * One function does both, so that writing and reading cannot differ.  Integers must be below 2^53. */
#ifndef KILN_BASE_NUMBER_ROW_H
#define KILN_BASE_NUMBER_ROW_H

#include <stdbool.h>
#include <stdint.h>

/* Writing: starts from { 0 }, `value` grows.  Reading: `value` has `count` numbers; reading beyond the last one leaves
 * the variable unchanged, but counts in `next`. */
typedef struct { bool reading; double *value; int64_t count, next; } number_row;

void number_row_real(number_row *r, double *x);
void number_row_int64(number_row *r, int64_t *x);
void number_row_int(number_row *r, int *x);
void number_row_bool(number_row *r, bool *x);
void number_row_rewind(number_row *r);         /* a row that was written is read from its start */
void number_row_free(number_row *r);

#endif
