/* gcr.h - flexible GCR: solves A x = b for any A, with a preconditioner that may differ in every iteration.
 *
 * S. C. Eisenstat, H. C. Elman and M. H. Schultz, SIAM J. Numer. Anal. 20 (1983) 345.  In iteration j, with the
 * preconditioner K ~ A^-1:
 *     p = K r;  q = A p;  for i < j:  q <- q - q_i <q_i, q>,  p <- p - p_i <q_i, q>;
 *     p, q <- p / |q|, q / |q|;  x <- x + p <q, r>;  r <- r - q <q, r>
 * After `restart` iterations, r <- b - A x, and the iteration begins again without directions.  Sums are exact
 * (site/exact_sum.h), so the bits of x depend on A, K, b and the request alone. */
#ifndef KILN_SOLVERS_GCR_H
#define KILN_SOLVERS_GCR_H

#include "src/operators/linop.h"

/* out <- approximately A^-1 in, vectors of one kind; `of`: the context of the function. */
typedef struct { void (*apply)(void *of, vec *out, const vec *in); void *of; } preconditioner;

typedef struct {
    double residual;                       /* |r| / |b| to reach */
    int max_iterations, restart;
    double progress;                       /* a solve fails if |r| at a restart is not below this factor
                                              times |r| at the restart before it; 0: factor 1 */
    const preconditioner *k;               /* NULL: none */
    bool from_zero;                        /* The start is x = 0, and the residual of the iteration is not checked at
                                              the end.  This saves two products with A in solves of few digits. */
} gcr_request;

typedef struct {
    bool converged;                        /* |r| / |b| is small enough, of b - A x or (from_zero) of the iteration */
    int iterations;
    double residual;
} gcr_result;

enum { GCR_RESTART_MAX = 30 };             /* a step sums two inner products more than this, at most VEC_DOTS_MAX */

/* Vectors for solves with vectors like `like`, native. */
typedef struct gcr_space gcr_space;
gcr_space *gcr_space_create(const vec *like, int restart);
void gcr_space_free(gcr_space *s);
size_t gcr_space_bytes(size_t vector, int restart);     /* vector: bytes of one */

/* The residual polynomial of the last solve, which must have started from zero, without preconditioner and restart:
 *     r = sum_k c_k A^k b,   c_0 = 1,   with r the residual after n iterations.
 * Writes c_0 .. c_n and returns n: the smallest of `steps`, the iterations of the solve, and GCR_POLYNOMIAL_MAX. */
enum { GCR_POLYNOMIAL_MAX = 20 };
int gcr_residual_polynomial(const gcr_space *s, int steps, complex_number *c);

/* x: start vector, then the solution; if b = 0, x <- 0.  request->restart is at most the restart of the space. */
gcr_result gcr_solve(gcr_space *s, vec *x, const linop *a, const vec *b, const gcr_request *request);

#endif
