/* start_vectors.h - start vectors of solves A x = b, A = C^+C, from solutions of nearby systems (R. C. Brower et al.,
 * hep-lat/9509012): the vector of their span that is nearest to x in the norm |C (. - x)|. */
#ifndef KILN_ACTIONS_START_VECTORS_H
#define KILN_ACTIONS_START_VECTORS_H

#include "src/solvers/dirac_solver.h"

enum { START_VECTORS_MAX = 16 };            /* largest number of solutions */

/* `capacity` vectors of C's home in double, the caller's; `kept` of them are solutions, the latest one first. */
typedef struct { int capacity, kept; vec **solution; } start_vectors;

/* start <- this vector; zero without solutions.  Costs a product with C for each solution.  Replaces the solutions by a
 * basis of the same span, each orthogonal in <x, A y> to the later ones, so that the span of the latest n does not
 * change; drops solutions that are in the span of later ones.  Scratch: an image for each solution. */
void start_vectors_combine(start_vectors *f, vec *start, dirac_solver *w, const dirac_matrix *m, const vec *b,
                           vec *const *image);

/* Store a copy of x, in place of the oldest solution if there is no space; capacity is 1 or more. */
void start_vectors_keep(start_vectors *f, const vec *x);

#endif
