/* solve_report.h - solves in the record of a run: iterations, residuals, precisions. */
#ifndef KILN_ACTIONS_SOLVE_REPORT_H
#define KILN_ACTIONS_SOLVE_REPORT_H

#include "actions/roles.h"
#include "src/base/json.h"
#include "src/base/number_row.h"
#include "src/base/text.h"
#include "src/solvers/cg_mixed.h"

/* The solves of one role since the last report.  polish: iterations after the main solve, to reach the true residual;
 * residual: the largest one. */
typedef struct { int64_t solves, iterations, polish; double residual; } solve_facts;

void solve_facts_add(solve_facts *s, int iterations, int polish, double residual);

/* The iterations of all solves that this rank has added since the program started. */
int64_t solve_iterations_so_far(void);

/* The roles that had solves, as members of an open object, with the norm of their residuals if it is not the 2-norm. */
void solve_facts_report(const solve_facts of[ROLES], residual_norm norm, json *j);

/* "mixed_precision" as a member of an open object; nothing if all solves were in double precision. */
void mixed_records_report(const mixed_record of[ROLES], json *j);

/* Adds lines for `warn` (monomial.h) if solves switched their method or were continued by conjugate gradients. */
void mixed_records_warn(const mixed_record of[ROLES], text *lines);

/* Writes solve_facts and mixed_records as numbers, or reads them (base/number_row.h). */
void solve_facts_row(solve_facts of[ROLES], number_row *row);
void mixed_records_row(mixed_record of[ROLES], number_row *row);

#endif
