/* method_study.h - solves of C x = b by conjugate gradients and by BiCGstab(l), timed.
 *
 * Wilson quarks without or with a clover term: C = Mhat on odd sites.  Staggered quarks: C = 2m + D on all sites, where
 * conjugate gradients solve with K + 4m^2 on each parity, in double precision only.  b has complex normal components,
 * x is from zero.  An iteration is two products with C, or one with C^+C.  Times come after a short run that is not
 * counted; the device has finished when the clock is read. */
#ifndef KILN_BENCH_METHOD_STUDY_H
#define KILN_BENCH_METHOD_STUDY_H

#include "src/lattice/rng.h"
#include "src/operators/staggered_links.h"
#include "src/solvers/dirac_solver.h"

typedef struct { dirac_solved of; double seconds; } method_solve;

/* The system, and how it is solved; links are borrowed, and up to date. */
typedef struct {
    const gauge *u;
    const staggered_links *staggered;        /* NULL: Wilson quarks of u, */
    double c_sw;                             /* with this clover term; 0: without */
    double mass;
    rng_key source;
} method_system;

/* Whether a method can solve it in the precisions of a kind. */
bool method_study_has(const method_system *s, solver_method method, solver_kind kind);
method_solve method_study_solve(const method_system *s, solver_method method, solver_kind kind, stop_rule stop);

#endif
