/* sign_function.h - approximations of the sign function by a function of the square:
 *
 *     sign(h) ~= h R(h^2)   for lower <= |h| <= upper
 *
 *     zolotarev    R(x) = constant + sum_k residue_k / (x + pole_k): the rational function of its degree with the least
 *                  max |h R(h^2) - sign(h)| (E. I. Zolotarev 1877; for the overlap operator J. van den Eshof et al.,
 *                  hep-lat/0202025).  It is the best approximation of x^(-1/2) in relative error (rational/rational.h).
 *     chebyshev    R(x) = c_0/2 + sum_j c_j T_j(z), z = (2 x - upper^2 - lower^2) / (upper^2 - lower^2): a truncated
 *                  expansion of x^(-1/2), summed by Clenshaw's recursion (C. W. Clenshaw, Math. Tables Aids Comput. 9
 *                  (1955) 118), as on GPUs by H. Wittig and B. Walk (M. A. Clark, PoS(Lattice 2009)003, section 3.4)
 *
 * `error` and `tail` below are absolute errors of the sign. */
#ifndef KILN_OVERLAP_SIGN_FUNCTION_H
#define KILN_OVERLAP_SIGN_FUNCTION_H

#include "src/rational/rational.h"

typedef enum { SIGN_ZOLOTAREV, SIGN_CHEBYSHEV, SIGN_METHODS } sign_method;
extern const char *const sign_method_names[];               /* "zolotarev", "chebyshev", NULL */

/* 0 < lower < upper; error: the largest allowed one; poles: the largest allowed number, for zolotarev. */
typedef struct { sign_method method; double lower, upper, error; int poles; } sign_goal;

typedef struct {
    sign_method method;
    double lower, upper, error;             /* error: a bound of the error of this approximation */
    rational fraction;                      /* zolotarev, of x = h^2 */
    int degree;                             /* chebyshev: of R; else 0 */
    double *coefficient;                    /* [degree + 1] */
    double *tail;                           /* [degree + 1]: bound on the error of h R(h^2) truncated after c_j */
} sign_function;

/* Collective; for chebyshev all ranks get the numbers of rank 0.  False with the reason if more than `poles` poles, or
 * a degree above SIGN_DEGREE_MAX, are needed. */
enum { SIGN_DEGREE_MAX = 20000 };
bool sign_function_make(sign_function *s, const sign_goal *goal, failure *why);
void sign_function_free(sign_function *s);

/* h R(h^2) */
double sign_function_value(const sign_function *s, double h);

/* zolotarev: the largest |r| / |v| of the solution of (H^2 + pole_k) x_k = v with which the error of H R(H^2) v from
 * all solves together is at most `error` |v|, where |H| >= lower.  A residual r in x_k causes an error of at most
 * residue_k |H (H^2 + pole_k)^-1| |r|; each pole gets an equal part of the error. */
double sign_function_tolerance(const sign_function *s, int k, double error);

/* chebyshev: the lowest degree, at least 1, whose error is at most `error`; the largest degree if there is none. */
int sign_function_degree(const sign_function *s, double error);

#endif
