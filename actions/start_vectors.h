/* start_vectors.h - start vectors of solves A x = b, A = C^+C, from solutions of nearby systems (R. C. Brower et al.,
 * hep-lat/9509012): the vector v in the span of these solutions with the smallest |C (v - x)|. */
#ifndef KILN_ACTIONS_START_VECTORS_H
#define KILN_ACTIONS_START_VECTORS_H

#include "src/solvers/dirac_solver.h"

enum { START_VECTORS_MAX = 16 };            /* largest number of solutions */

/* `capacity` vectors on dirac_kind.home in double precision, which belong to the caller.  The first `count` of them are
 * solutions, the latest one first. */
typedef struct { int capacity, count; vec **solution; } start_vectors;

/* start <- the vector v above for b; zero without solutions.  Costs one product with C for each solution.  The
 * solutions are replaced by a basis of their span, orthonormal in <x, A y>, latest first, so that the first n vectors
 * still span the n latest solutions; solutions in the span of later ones are dropped.  image: a scratch vector on
 * dirac_kind.image for each solution. */
void start_vectors_combine(start_vectors *f, vec *start, dirac_solver *w, const dirac_matrix *m, const vec *b,
                           vec *const *image);

/* Stores a copy of x as the latest solution, in place of the oldest one if all vectors are in use; capacity is 1 or
 * more. */
void start_vectors_keep(start_vectors *f, const vec *x);

#endif
