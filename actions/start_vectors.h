/* start_vectors.h - start vectors of solves A x = b, A = C^+C, from solutions of nearby systems (R. C. Brower et al.,
 * hep-lat/9509012): that vector of their span which is nearest to x in the norm |C (. - x)|. */
#ifndef KILN_ACTIONS_START_VECTORS_H
#define KILN_ACTIONS_START_VECTORS_H

#include "src/solvers/dirac_solver.h"

enum { START_VECTORS_MAX = 16 };            /* solutions at the most */

/* `room` vectors of C's home in double, the caller's; `kept` of them are solutions, the latest one first. */
typedef struct { int room, kept; vec **solution; } start_vectors;

/* start <- that vector, zero where none is kept.  Costs a product with C for each solution.  Solutions become others
 * with the same span, and those are dropped that add nothing to the later ones: each is orthogonal in <x, A y> to those
 * after it, so that what a number of the latest ones spans stays what it was.  Scratch: for each solution an image. */
void start_vectors_combine(start_vectors *f, vec *start, dirac_solver *w, const dirac_matrix *m, const vec *b,
                           vec *const *image);

/* Keeps a copy of x, in place of the oldest one where there is no room; room is 1 or more. */
void start_vectors_keep(start_vectors *f, const vec *x);

#endif
