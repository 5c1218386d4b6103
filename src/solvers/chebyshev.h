/* chebyshev.h - Chebyshev filter: a polynomial of a hermitian operator A that separates its smallest eigenvalues.
 *
 *     p(lambda) = T_n((c - lambda) / e) / T_n(c / e),   c = (upper + cut) / 2,   e = (upper - cut) / 2
 *
 * p decreases from p(0) = 1 to 1 / T_n(c / e) at `cut`; between cut and upper, |p| is at most 1 / T_n(c / e).  Lanczos
 * with p(A) instead of A therefore finds the eigenvalues below `cut` first (Y. Zhou and Y. Saad, SIAM J. Matrix Anal.
 * Appl. 29 (2007) 954, with the same scaling of the recurrence).  Degree 1 is a decreasing linear function of A. */
#ifndef KILN_SOLVERS_CHEBYSHEV_H
#define KILN_SOLVERS_CHEBYSHEV_H

#include "src/operators/linop.h"

typedef struct { int degree; double cut, upper; } chebyshev;

double chebyshev_value(const chebyshev *p, double lambda);

/* The lambda <= cut with p(lambda) = value; `cut` if value <= p(cut).  Degree 1: the lambda of any value. */
double chebyshev_inverse(const chebyshev *p, double value);

/* The smallest degree with T_n(c / e) >= CHEBYSHEV_GROWTH, at most CHEBYSHEV_DEGREE_MAX. */
#define CHEBYSHEV_GROWTH 20.0
enum { CHEBYSHEV_DEGREE_MAX = 2000 };
int chebyshev_degree(double cut, double upper);

/* out <- p(A) in; overwrites the two vectors `work`, which are like `in`. */
void chebyshev_apply(const chebyshev *p, const linop *a, vec *out, const vec *in, vec *const work[2]);

#endif
