/* action_quarks.h - the quarks of the action, for comparison with the quarks of measurements. */
#ifndef KILN_MEASURE_ACTION_QUARKS_H
#define KILN_MEASURE_ACTION_QUARKS_H

#include "actions/monomial.h"

/* The masses and flavors of all monomials of a kind, from a list of kind_item; denominators have negative flavors,
 * and intermediate masses cancel.  Empty: there is no such monomial. */
quark_list action_quarks(const param_list *monomials, const char *kind);

/* Whether two masses of the input are equal up to ten digits, because one may be given as kappa.  For Wilson quarks,
 * m = 1 / (2 kappa) - 4, so the tolerance is relative to 4 + m. */
bool action_same_mass(double a, double b);
bool action_same_bare_mass(double a, double b);

/* Appends "mass 0.1, mu 0.2, rho 0.05"; mu and rho only if they are not 0. */
void action_quark_describe(text *out, const quark_count *quark);

/* A difference from the action, at item `index` of the list `list` of the measurement, in its key `key` (NULL: the
 * whole item; index -1: the whole list).  A fault is an error of the input, otherwise it is a warning. */
typedef struct { bool is_fault; const char *list; int index; const char *key, *sentence; } action_mismatch;
typedef void action_listener(void *out, const action_mismatch *m);
void action_report(action_listener *emit, void *out, action_mismatch where, const char *format, ...) PRINTF_LIKE(4, 5);

#endif
