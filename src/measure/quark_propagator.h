/* quark_propagator.h - propagators of quarks with spin, of any Dirac operator that has its functions on all sites
 * (dirac_operator.h), for several sources at a time.
 *
 *     M q = eta on all sites, from C^+C x' = C^+ rhs on odd ones
 *
 * The vectors of the operator are quarks in four dimensions, of one flavor or with a slice for each of several, or
 * those of domain-wall quarks: there quark_walls takes sources to the fifth dimension, and brings quarks back. */
#ifndef KILN_MEASURE_QUARK_PROPAGATOR_H
#define KILN_MEASURE_QUARK_PROPAGATOR_H

#include "src/measure/quark_sources.h"
#include "src/operators/dirac_operator.h"
#include "src/solvers/deflation.h"

/* The fields of one source, on both parities: vectors of the operator, or spinors of one slice with walls; midpoint:
 * used with walls only. */
typedef struct { spinor_field source, quark, midpoint; } quark_line;

/* Scratch fields of the operator, on both parities. */
enum { WALLS_FREE, WALLS_RIGHT, WALLS_PSI, WALLS_FIELDS };

/* source: the right-hand side of M psi = v, in scratch[WALLS_RIGHT]; the others are overwritten.  quark: quark and
 * midpoint of a line from psi. */
typedef struct {
    void (*source)(const dirac_operator *d, spinor_field source, const spinor_field scratch[WALLS_FIELDS]);
    void (*quark)(const quark_line *line, const dirac_operator *d, spinor_field psi);
} quark_walls;

typedef struct quark_propagator quark_propagator;

/* For up to `max_rhs` sources at a time.  The plan is read by the call only; the walls (NULL: none) are borrowed until
 * quark_propagator_free; `solver` is a fixed kind. */
quark_propagator *quark_propagator_create(const gauge *u, const dirac_plan *plan, const quark_walls *walls,
                                          solver_precision solver, int max_rhs);
void quark_propagator_free(quark_propagator *p);
memory_need quark_propagator_bytes(const lattice_shape *shape, const dirac_plan *plan, const quark_walls *walls,
                                   solver_precision solver, int max_rhs);

/* Computes the operator's links; false with the reason if u is unsuitable. */
bool quark_propagator_update(quark_propagator *p, const gauge *u, failure *why);

/* Borrowed: the operator, and its solver. */
dirac_operator *quark_propagator_operator(const quark_propagator *p);
dirac_solver *quark_propagator_solver(const quark_propagator *p);

/* Borrowed; the caller fills the source. */
const quark_line *quark_propagator_line(const quark_propagator *p, int i);

/* Solves of quark_propagator_run begin with a start vector from these pairs of C^+C of their matrix (borrowed), until
 * the next call; NULL: they begin with zero. */
void quark_propagator_deflate(quark_propagator *p, const deflation *modes);

/* Compute the quarks of the first `count` sources for a matrix of the operator (goal->precision is not read), and add
 * to the totals, whose residuals are |C^+ (b - C x)| / |C^+ b|.  False with the reason, which names the bare mass, if a
 * solve does not converge. */
typedef struct { dirac_matrix *matrix; double mass; } quark_matrix;
bool quark_propagator_run(quark_propagator *p, quark_matrix m, int count, const dirac_goal *goal, solve_totals *totals,
                          failure *f);

/* source^+ gamma5 quark of a line, after its run; without walls, of one slice */
complex_number quark_propagator_dot5(const quark_propagator *p, const quark_line *line);

#endif
