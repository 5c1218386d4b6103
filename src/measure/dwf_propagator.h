/* dwf_propagator.h - propagators of four-dimensional quarks from domain-wall quarks, several sources at a time.
 *
 *     D5(m) psi = v,   v_s = w_s - c_s Dw w_s,   w_0 = P+ eta, w_(Ls-1) = P- eta, else 0
 *     q = P+ psi_(Ls-1) + P- psi_0 = [D(m)^-1 - 1] eta / (1 - m),   D(m) = (1 + m)/2 + (1 - m)/2 gamma5 S
 *     in the middle: q' = P+ psi_(Ls/2-1) + P- psi_(Ls/2)
 * with S of operators/dwf_weights.h (T. Blum et al., hep-lat/0007038; R. C. Brower, H. Neff, K. Orginos,
 * arXiv:1206.5214).  If the weights are symmetric between the walls and Ls is even, the axial Ward identity holds on
 * every configuration, for every source:
 *     m |q|^2 + |q'|^2 = Re eta^+ q */
#ifndef KILN_MEASURE_DWF_PROPAGATOR_H
#define KILN_MEASURE_DWF_PROPAGATOR_H

#include "src/measure/quark_sources.h"
#include "src/operators/dwf_operator.h"
#include "src/solvers/deflation.h"

/* The fields of one source: spinors of one slice, on both parities. */
typedef struct { spinor_field source, quark, midpoint; } dwf_line;

typedef struct dwf_propagator dwf_propagator;

/* For up to `max_rhs` sources at a time; `solver` is a fixed kind. */
dwf_propagator *dwf_propagator_create(const gauge *u, const dwf_weights *w, double boundary,
                                      const stout_params *smearing, solver_precision solver, int max_rhs);
void dwf_propagator_free(dwf_propagator *p);
memory_need dwf_propagator_bytes(const lattice_shape *shape, int Ls, const stout_params *smearing,
                                 solver_precision solver, int max_rhs);

/* Smear and copy the links; false if they are not SU(3) matrices. */
bool dwf_propagator_update(dwf_propagator *p, const gauge *u, failure *why);
const hop_links *dwf_propagator_links(const dwf_propagator *p);

/* Whether the Ward identity holds.  Midpoints are computed for every even Ls. */
bool dwf_ward_identity_holds(const dwf_weights *w);

/* Borrowed; the caller fills the source. */
const dwf_line *dwf_propagator_line(const dwf_propagator *p, int i);

/* The operator C^+C of a mass, valid until the next solve or call. */
const linop *dwf_propagator_normal(dwf_propagator *p, double mass);

/* Solves of dwf_propagator_run begin with a start vector from these pairs of C^+C of their mass (borrowed), until the
 * next call; NULL: they begin with zero. */
void dwf_propagator_deflate(dwf_propagator *p, const deflation *modes);

/* Compute quarks and midpoints of the first `count` sources (goal->precision is not read), and add to the totals, whose
 * residuals are |C^+ (b - C x)| / |C^+ b|.  False with the reason if a solve does not converge. */
bool dwf_propagator_run(dwf_propagator *p, double mass, int count, const dirac_goal *goal, solve_totals *totals,
                        failure *f);

#endif
