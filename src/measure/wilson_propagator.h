/* wilson_propagator.h - propagators of Wilson quarks, without and with a clover term, a twisted mass or both, several
 * sources at a time.
 *
 *     M q = eta on all sites (clover.h), from Mhat^+ Mhat q_o = Mhat^+ (eta_o - hop_oe T_e^-1 eta_e) on odd ones */
#ifndef KILN_MEASURE_WILSON_PROPAGATOR_H
#define KILN_MEASURE_WILSON_PROPAGATOR_H

#include "src/measure/quark_sources.h"
#include "src/operators/clover_operator.h"
#include "src/solvers/deflation.h"

/* The fields of one source: spinors of one slice, on both parities. */
typedef struct { spinor_field source, quark; } wilson_line;

typedef struct wilson_propagator wilson_propagator;

/* For up to `max_rhs` sources at a time and the masses of `params`, which are copied; `solver` is a fixed kind. */
wilson_propagator *wilson_propagator_create(const gauge *u, const clover_operator_params *params,
                                            const stout_params *smearing, solver_precision solver, int max_rhs);
void wilson_propagator_free(wilson_propagator *p);
memory_need wilson_propagator_bytes(const lattice_shape *shape, const clover_operator_params *params,
                                    const stout_params *smearing, solver_precision solver, int max_rhs);

/* Smears and copies the links, and computes the clover term; false with the reason if this fails. */
bool wilson_propagator_update(wilson_propagator *p, const gauge *u, failure *why);

/* Borrowed: the operator, its solver, and the matrix of mass number `mass` of the parameters, which memory_free frees;
 * it is valid until the next update. */
dirac_operator *wilson_propagator_operator(const wilson_propagator *p);
dirac_solver *wilson_propagator_solver(const wilson_propagator *p);
dirac_matrix *wilson_propagator_matrix(const wilson_propagator *p, int mass);

/* Borrowed; the caller fills the source. */
const wilson_line *wilson_propagator_line(const wilson_propagator *p, int i);

/* Solves of wilson_propagator_run begin with a start vector from these pairs of Mhat^+ Mhat of their mass (borrowed),
 * until the next call; NULL: they begin with zero. */
void wilson_propagator_deflate(wilson_propagator *p, const deflation *modes);

/* Compute the quarks of the first `count` sources for mass number `mass` (goal->precision is not read), and add to the
 * totals, whose residuals are |Mhat^+ (b - Mhat x)| / |Mhat^+ b|.  False with the reason if a solve does not
 * converge. */
bool wilson_propagator_run(wilson_propagator *p, int mass, int count, const dirac_goal *goal, solve_totals *totals,
                           failure *f);

/* source^+ gamma5 quark of a line, after a run */
complex_number wilson_propagator_dot5(const wilson_propagator *p, int i);

#endif
