/* chebyshev.h - Chebyshev filter: a polynomial of a hermitian operator A that separates its smallest eigenvalues.
 *
 *     p(lambda) = T_n((c - lambda) / e) / T_n(c / e),   c = (upper + cut) / 2,   e = (upper - cut) / 2
 *
 * p decreases from p(0) = 1 to 1 / T_n(c / e) at `cut`, and its modulus is at most that between cut and upper: Lanczos
 * with p(A) in place of A finds the eigenvalues below `cut` first (Y. Zhou and Y. Saad, SIAM J. Matrix Anal. Appl. 29
 * (2007) 954, who scale the recurrence as apply does here).  Degree 1 is A itself, from above. */
#ifndef KILN_SOLVERS_CHEBYSHEV_H
#define KILN_SOLVERS_CHEBYSHEV_H

#include "src/operators/linop.h"

typedef struct { int degree; double cut, upper; } chebyshev;

double chebyshev_value(const chebyshev *p, double lambda);

/* The lambda below `cut` with p(lambda) = value, `cut` if value is not larger than p(cut).  Degree 1: of any value. */
double chebyshev_inverse(const chebyshev *p, double value);

/* The smallest degree with T_n(c / e) >= CHEBYSHEV_GROWTH, at most CHEBYSHEV_DEGREE_MAX. */
#define CHEBYSHEV_GROWTH 20.0
enum { CHEBYSHEV_DEGREE_MAX = 2000 };
int chebyshev_degree(double cut, double upper);

/* out <- p(A) in; `work` are two vectors like them, overwritten. */
void chebyshev_apply(const chebyshev *p, const linop *a, vec *out, const vec *in, vec *const work[2]);

#endif
