/* staggered_report.h - what staggered quarks met in a trajectory: iterations, residuals, eigenvalues. */
#ifndef KILN_ACTIONS_STAGGERED_REPORT_H
#define KILN_ACTIONS_STAGGERED_REPORT_H

#include "actions/solve_report.h"
#include "actions/staggered_params.h"
#include "src/operators/staggered_force.h"

typedef struct {
    solve_facts of[PSEUDOFERMIONS_MAX][ROLES];
    mixed_record mixed[ROLES];                  /* of solvers in mixed precision */
    projection_facts projection;
    force_facts force;
    double largest_found, largest_allowed;      /* eigenvalue of K: measured now (0: not), end of the range */
    bool renewed;                               /* the range was left, and made wider */
} quark_facts;

void quark_facts_forget(quark_facts *facts);
void quark_facts_add(quark_facts *facts, int field_number, int role, const multishift_result *result, int systems);

/* What links and force met since they were asked last, added to what is there. */
void quark_facts_meet(quark_facts *facts, projection_facts projection, force_facts force);

/* The facts of so many pseudofermions as numbers (src/base/number_row.h). */
void quark_facts_row(quark_facts *facts, int pseudofermions, number_row *row);

/* The facts as members of an open object, and a warning in the log where the force filter was at work. */
void quark_facts_report(const quark_facts *facts, const staggered_plan *plan, const char *name, const int global[4],
                        json *j);

#endif
