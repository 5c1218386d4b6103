/* autocorrelation.h - the mean of a Markov chain with its error, and its integrated autocorrelation time.
 *
 *     Gamma(t) = <(a_i - mean) (a_(i+t) - mean)>,   C(W) = Gamma(0) + 2 sum_(t=1..W) Gamma(t)
 *     error^2 = C(W) / N,   tau = C(W) / (2 Gamma(0)),   1/2 where values are independent
 *
 * by the Gamma method of U. Wolff, Comput. Phys. Commun. 156 (2004) 143, hep-lat/0306017: his window W, the first
 * one beyond which noise costs more than the tail is worth (S = 1.5: tau_exp is taken to be about 1.5 tau), and his
 * correction of the bias of order 1/N (eq. 49); the error of tau is his eq. 42.  Values are taken as independent where
 * C(W) is next to nothing (values that alternate, which a window of one step cuts off), and where tau is below 1/2 by
 * less than three of its errors: a few values often look anticorrelated by chance.  Error bars of
 * rho(t) = Gamma(t) / Gamma(0) are those of M. Luescher, hep-lat/0409106, appendix E. */
#ifndef KILN_MEASURE_AUTOCORRELATION_H
#define KILN_MEASURE_AUTOCORRELATION_H

#include <stdbool.h>
#include <stdint.h>

/* The quality of a series. */
typedef enum {
    SERIES_EMPTY,                  /* no value */
    SERIES_CONSTANT,               /* all values are the same: error 0, no tau; one value has no error either */
    SERIES_TOO_SHORT,              /* fewer than SERIES_LEAST values: the error is that of independent values, there is
                                    * no tau; or shorter than SERIES_LEAST tau: error and tau are lower bounds */
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

/* Replicas one behind the other: `length[r]` values of replica r.  A value that is NaN was not measured; pairs
 * without it remain. */
typedef struct { const double *value; int replicas; const int64_t *length; } chain;

/* `s` > 0: WINDOW_S. */
correlated_mean correlated_mean_of(chain c, double s);

/* rho[t] and its error (may be NULL) for t = 0 ... most - 1; how many of them there are: as far as half of the
 * shortest replica. */
int64_t autocorrelation_function(double *rho, double *error, int64_t most, chain c);

/* Where equilibrium begins: the number of values to leave out so that the standard error of the mean of the others,
 * taken as independent, is least; at most half of them.  K. P. White, Simulation 69 (1997) 323 (MSER).  One replica. */
int64_t equilibrium_begin(const double *value, int64_t length);

#endif
