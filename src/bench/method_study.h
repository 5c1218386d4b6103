/* method_study.h - solves of C x = b by conjugate gradients and by BiCGstab(l), in many precisions, timed.
 *
 * Wilson and domain-wall quarks: C on odd sites (dirac_study.h, study_plan.h).  Staggered quarks: C = 2m + D on all
 * sites, where conjugate gradients solve with K + 4m^2 on each parity, in double precision only.  b has complex
 * normal components, x is from zero.  An iteration is two products with C, or one with C^+C; of multigrid, which only
 * Wilson and clover quarks have, a product with C in double and a cycle in single precision.  Times follow a short
 * run that is not counted; the clock is read after the device has finished. */
#ifndef KILN_BENCH_METHOD_STUDY_H
#define KILN_BENCH_METHOD_STUDY_H

#include "src/bench/solver_study.h"
#include "src/solvers/solver_kinds.h"
#include "src/bench/study_plan.h"

/* The system; links are borrowed, and up to date. */
typedef struct {
    study_operator op;
    const gauge *u;
    const staggered_links *staggered;        /* of u, for staggered quarks */
    rng_key source;
    multigrid_settings multigrid;            /* all zero: the defaults */
} method_system;

typedef struct method_study method_study;
method_study *method_study_create(const method_system *s);
void method_study_free(method_study *s);

/* Whether a method can solve it in a storage. */
bool method_study_has(const method_study *s, solver_kind_index method, stored_as inner);
study_solve method_study_solve(method_study *s, solver_kind_index method, stored_as inner, stop_rule stop,
                               const mixed_rule *rule);

#endif
