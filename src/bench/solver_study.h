/* solver_study.h - solves of one system in many precisions, timed, with their histories of residuals, for comparisons
 * like those of M. A. Clark et al., arXiv:2302.09224 (Maximizing the Bang Per Bit) and arXiv:0911.3191.
 *
 * The system is (K + shift) x = b on even sites, b with complex normal components, x from zero.  Times come from a run
 * without a history, after a short run that is not counted; the device has finished when the clock is read. */
#ifndef KILN_BENCH_SOLVER_STUDY_H
#define KILN_BENCH_SOLVER_STUDY_H

#include "src/lattice/rng.h"
#include "src/operators/staggered_links.h"
#include "src/solvers/cg_mixed.h"
#include "src/solvers/solver_choice.h"

typedef struct solver_study solver_study;

/* With the first set of `links` of u, both in double precision, up to date and borrowed. */
solver_study *solver_study_create(const staggered_links *links, const gauge *u, rng_key source);
void solver_study_free(solver_study *s);

/* An upper bound on the spectrum of K. */
double solver_study_largest(solver_study *s);

/* setup: seconds of the setup for the links (multigrid), once before all solves. */
typedef struct { mixed_result of; double seconds, setup; } study_solve;

/* Plain conjugate gradients in double precision. */
study_solve solver_study_double(solver_study *s, double shift, stop_rule stop);

/* In mixed precision, with a storage for the inner iterations; convergence is decided by residuals in double precision.
 * rule->history may be NULL. */
study_solve solver_study_mixed(solver_study *s, stored_as inner, double shift, stop_rule stop, const mixed_rule *rule);

/* Many right-hand sides, together, in the batches of solvers/cg_mixed.h; the first is that of
 * solver_study_mixed.  Iterations and the record are sums over them, the residual is the largest.  No history. */
enum { STUDY_SOURCES_MAX = 64 };
study_solve solver_study_mixed_sources(solver_study *s, stored_as inner, double shift, stop_rule stop,
                                       const mixed_rule *rule, int sources);

/* Many shifts: some of the kinds of solvers (solver_choice.h). */
enum { STUDY_PRECISIONS = 5 };
extern const solver_precision study_precisions[STUDY_PRECISIONS];

/* For the first kind, which uses double precision alone, krylov_residual is the residual after the multi-shift
 * conjugate gradients, and refine_iterations counts the iterations of the refinement after them. */
typedef struct { multishift_mixed_result of; double seconds; } study_shifts;
study_shifts solver_study_shifts(solver_study *s, solver_precision solver, const shifted *system, int count,
                                 int max_iterations);

#endif
