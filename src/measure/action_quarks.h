/* action_quarks.h - the quarks of the action, for measurements that compare theirs with them. */
#ifndef KILN_MEASURE_ACTION_QUARKS_H
#define KILN_MEASURE_ACTION_QUARKS_H

#include "actions/monomial.h"

/* The masses and flavours of all monomials of a kind, from a list of kind_item; denominators have negative flavours,
 * and intermediate masses cancel.  Empty: there is no such monomial. */
quark_list action_quarks(const param_list *monomials, const char *kind);

/* Whether two masses of the input are the same: one of them may be given in another way, with ten digits.  Of Wilson
 * quarks m = 1 / (2 kappa) - 4, so that the relative error is that of 4 + m. */
bool action_same_mass(double a, double b);
bool action_same_bare_mass(double a, double b);

/* Appends "mass 0.1, mu 0.2, rho 0.05"; mu and rho where they are not 0. */
void action_quark_describe(text *out, const quark_count *quark);

/* What does not fit the action, at item `index` of the list `list` of the measurement, in its key `key` (NULL: all of
 * the item; index -1: all of the list).  A fault is an error of the input, anything else a warning. */
typedef struct { bool is_fault; const char *list; int index; const char *key, *sentence; } action_mismatch;
typedef void action_listener(void *out, const action_mismatch *m);
void action_report(action_listener *emit, void *out, action_mismatch where, const char *format, ...) PRINTF_LIKE(4, 5);

#endif
