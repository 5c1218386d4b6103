/* autocorrelation.h - the mean of a Markov chain with its error, and its integrated autocorrelation time.
 *
 *     Gamma(t) = <(a_i - mean) (a_(i+t) - mean)>,   C(W) = Gamma(0) + 2 sum_(t=1..W) Gamma(t)
 *     error^2 = C(W) / N,   tau = C(W) / (2 Gamma(0)),   1/2 where values are independent
 *
 * by the Gamma method of U. Wolff, Comput. Phys. Commun. 156 (2004) 143, hep-lat/0306017, with his automatic window W
 * (S = 1.5: assumes tau_exp of about 1.5 tau), his correction of the bias of order 1/N (eq. 49), and his error of tau
 * (eq. 42).  Values are treated as independent in two cases: if C(W) is almost zero, as for alternating values with a
 * window of one step; and if tau is below 1/2 by less than three of its errors, because a few values often look
 * anticorrelated by chance.  Error bars of rho(t) = Gamma(t) / Gamma(0): M. Luescher, hep-lat/0409106, appendix E. */
#ifndef KILN_MEASURE_AUTOCORRELATION_H
#define KILN_MEASURE_AUTOCORRELATION_H

#include <stdbool.h>
#include <stdint.h>

/* The quality of a series. */
typedef enum {
    SERIES_EMPTY,                  /* no value */
    SERIES_CONSTANT,               /* two or more values, all equal: error 0, no tau */
    SERIES_TOO_SHORT,              /* one value: no error, no tau.  Fewer than SERIES_LEAST values, or a replica with
                                    * fewer than 4: the error is that of independent values, there is no tau.  Shorter
                                    * than SERIES_LEAST tau, or no window: error and tau are lower bounds */
    SERIES_SHORT,                  /* shorter than SERIES_TAUS tau: the errors are rough, probably too small */
    SERIES_LONG
} series_verdict;
extern const char *const series_verdict_names[];     /* "none", "constant", "too short", "short", "good" */

enum { SERIES_LEAST = 10, SERIES_TAUS = 50 };
#define WINDOW_S 1.5

/* Times in steps of the series.  NaN: undefined. */
typedef struct {
    series_verdict verdict;
    int64_t count;                 /* existing values */
    double mean, error, error_error;
    double deviation;              /* of a single value: sqrt(Gamma(0)) */
    double tau, tau_error;
    int64_t window;                /* 0 without tau */
    double replica_q;              /* several replicas: probability of a scatter of their means at least this large */
} correlated_mean;

/* Consecutive replicas, with `length[r]` values of replica r.  NaN is a value that was not measured; pairs with it are
 * omitted. */
typedef struct { const double *value; int replicas; const int64_t *length; } chain;

/* s > 0: S of the automatic window, usually WINDOW_S. */
correlated_mean correlated_mean_of(chain c, double s);

/* rho[t] and its error (may be NULL) for t = 0 ... most - 1.  Returns the number of these t, which end at half of the
 * shortest replica. */
int64_t autocorrelation_function(double *rho, double *error, int64_t most, chain c);

/* The beginning of equilibrium: the number of first values to omit, at most half, which minimizes the standard error of
 * the mean of the others, treated as independent.  K. P. White, Simulation 69 (1997) 323 (MSER).  One replica. */
int64_t equilibrium_begin(const double *value, int64_t length);

#endif
