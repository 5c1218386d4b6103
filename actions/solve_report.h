/* solve_report.h - solves in the record of a run: iterations, residuals, precisions. */
#ifndef KILN_ACTIONS_SOLVE_REPORT_H
#define KILN_ACTIONS_SOLVE_REPORT_H

#include "actions/roles.h"
#include "src/base/json.h"
#include "src/base/number_row.h"
#include "src/base/text.h"
#include "src/solvers/cg_mixed.h"

/* The solves of one role since the last report. */
typedef struct { int64_t solves, iterations, polish; double residual; } solve_facts;      /* the worst residual */

void solve_facts_add(solve_facts *s, int iterations, int polish, double residual);

/* Iterations of all solves that have been added by this rank since the program began. */
int64_t solve_iterations_so_far(void);

/* The roles that had solves, as members of an open object, with the norm of their residuals if it is not the 2-norm. */
void solve_facts_report(const solve_facts of[ROLES], residual_norm norm, json *j);

/* "mixed_precision" as a member of an open object; nothing if all solves were in double precision. */
void mixed_records_report(const mixed_record of[ROLES], json *j);

/* Warnings, if solves switched their method or were continued by conjugate gradients: lines of `warn` (monomial.h). */
void mixed_records_warn(const mixed_record of[ROLES], text *lines);

/* Writes solve_facts and mixed_records as numbers, or reads them (base/number_row.h). */
void solve_facts_row(solve_facts of[ROLES], number_row *row);
void mixed_records_row(mixed_record of[ROLES], number_row *row);

#endif
