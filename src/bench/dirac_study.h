/* dirac_study.h - solves of C x = b in many precisions, timed, for any Dirac operator whose C maps a parity to itself
 * (operators/dirac_operator.h): Wilson, clover and domain-wall quarks.
 *
 * BiCGstab(l) solves with C.  Conjugate gradients solve C^+C x = C^+ b, and continue until |b - C x| / |b| is small
 * enough, too; an iteration of either is two products with C or C^+.  A solve that fails in its precision does not
 * continue in a higher one.  Multigrid is that of solvers/multigrid_solver.h, for the operator of clover quarks.  b has
 * complex normal components, x is from zero.  Times follow a short run that is not counted; the clock is read after the
 * device has finished. */
#ifndef KILN_BENCH_DIRAC_STUDY_H
#define KILN_BENCH_DIRAC_STUDY_H

#include "src/bench/bench.h"
#include "src/bench/solver_study.h"
#include "src/operators/dirac_operator.h"
#include "src/solvers/solver_kinds.h"

typedef struct dirac_study dirac_study;

/* The first C of the plan, of the links u, which are borrowed. */
dirac_study *dirac_study_create(const dirac_plan *plan, const gauge *u, rng_key source);
void dirac_study_free(dirac_study *s);

/* The settings of multigrid, in place of the defaults; before the first solve. */
void dirac_study_set_multigrid(dirac_study *s, const multigrid_settings *settings);

/* The residual is |b - C x| / |b| for all methods.  In double precision conjugate gradients do not read the rule. */
study_solve dirac_study_solve(dirac_study *s, solver_kind_index method, stored_as inner, stop_rule stop,
                              const mixed_rule *rule);

/* C v in a storage, timed as a kernel is (bench.h). */
typedef struct { bench_time time; work_count work; } operator_speed;
operator_speed dirac_study_operator(dirac_study *s, stored_as in, int repeats);

/* The seconds of an iteration in one storage, without residuals in double precision in between: the difference of
 * solves with 3 n and with n iterations, divided by 2 n.  NaN if the method ends earlier. */
double dirac_study_iteration(dirac_study *s, solver_kind_index method, stored_as in, int n);

#endif
