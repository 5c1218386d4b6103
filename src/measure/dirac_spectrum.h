/* dirac_spectrum.h - the ends of the spectrum of (C^+C)^1/2, for a matrix C of any Dirac operator.
 *
 * By Lanczos with C^+C and with its inverse.  For Wilson quarks these are the ends of |gamma5 Mhat|, because
 * gamma5 Mhat gamma5 = Mhat^+; with a twisted mass gamma5 Mhat is not hermitian, and C^+C still is. */
#ifndef KILN_MEASURE_DIRAC_SPECTRUM_H
#define KILN_MEASURE_DIRAC_SPECTRUM_H

#include "src/solvers/dirac_solver.h"

typedef struct dirac_spectrum dirac_spectrum;
dirac_spectrum *dirac_spectrum_create(const dirac_operator *d);
void dirac_spectrum_free(dirac_spectrum *s);
memory_need dirac_spectrum_bytes(const dirac_plan *plan, const lattice_shape *shape);

/* The spectrum of the operator of `solver`.  The key gives the start vector, from first_draw on; goal->residual is not
 * read. */
typedef struct {
    dirac_solver *solver;
    const dirac_matrix *matrix;
    rng_key key;
    uint32_t first_draw;
    dirac_goal goal;
} dirac_spectrum_task;

/* Both have a relative error of about 1e-3; the smallest is an upper bound, the largest a lower bound.  False with the
 * reason if a solve does not converge. */
typedef struct { double smallest, largest; int64_t iterations; } dirac_ends;
bool dirac_spectrum_measure(dirac_ends *e, dirac_spectrum *s, const dirac_spectrum_task *task, failure *f);

#endif
