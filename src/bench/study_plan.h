/* study_plan.h - the quarks of a study of solvers, and their Dirac operator (operators/dirac_operator.h).
 *
 * Wilson quarks, without or with a clover term; Shamir domain-wall quarks with M5 = 1.8.  All are antiperiodic in t.
 * Staggered quarks have operators of their own (operators/staggered.h), and no plan. */
#ifndef KILN_BENCH_STUDY_PLAN_H
#define KILN_BENCH_STUDY_PLAN_H

#include "actions/wilson_operator.h"
#include "src/operators/dwf_operator.h"

typedef enum { STUDY_STAGGERED, STUDY_DOMAIN_WALL, STUDY_WILSON, STUDY_QUARKS } study_quarks;
extern const char *const study_quarks_names[];       /* "staggered", ..., NULL */

typedef struct {
    study_quarks quarks;
    double mass;
    int Ls;                                  /* domain wall */
    wilson_operator_input wilson;
    bool with_terms;                         /* wilson: the operator of clover quarks, without a clover term, too */
} study_operator;

/* `plan` points into the struct; its list has one matrix. */
typedef struct {
    clover_operator_params clover;
    dwf_operator_params dwf;
    dirac_plan plan;
} study_plan;
void study_plan_make(study_plan *p, const study_operator *of);      /* not of staggered quarks */

#endif
