/* tune_result.c - compare a proof with its prediction. */
#include "src/tune/tune_result.h"

#include "src/measure/autocorrelation.h"

#include <math.h>

/* Two variances that differ by more than this number of errors disagree. */
#define SIGMAS 2.0
/* An agreement within errors that are as large as the larger variance itself would follow from almost any values. */
#define ERROR_LARGEST 0.7
#define EXP_SIGMAS 3.0         /* allowed distance of <exp(-dH)> from 1 in errors, for any steps */

/* Whether the accepted number agrees with the prediction, up to one trajectory and statistical errors. */
static bool accepts_as_predicted(const tune_proof *p)
{
    const double q = p->predicted.acceptance, n = p->trajectories;
    return fabs(p->accepted - q) <= SIGMAS * hypot(sqrt(q * (1 - q) / n), p->predicted.acceptance_error) + 1 / n;
}

double tune_exp_distance(const tune_proof *p)
{
    return fabs(p->exp_minus_dh - 1) / p->exp_error;
}

void tune_judge(tune_proof *p)
{
    const double error = hypot(p->variance_error, p->predicted.error);
    p->enough = p->trajectories >= SERIES_LEAST;
    p->precise = error <= ERROR_LARGEST * fmax(p->variance, p->predicted.variance);
    p->variance_agrees = fabs(p->variance - p->predicted.variance) <= SIGMAS * error;
    p->acceptance_agrees = accepts_as_predicted(p);
    p->exp_agrees = tune_exp_distance(p) <= EXP_SIGMAS;
    p->agrees = p->variance_agrees && p->acceptance_agrees && p->exp_agrees;
}

bool tune_is_reached(const tune_proof *p, double target)
{
    return tune_acceptance(fmax(p->variance - p->variance_error, 0)) >= target;
}
