/* tune_result.c - the numbers and verdicts of proofs, and which of several verified settings to keep. */
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

bool tune_in_time(const tune_result *r)
{
    return r->left_out.count == 0;
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

const tune_proof *tune_proof_of_choice(const tune_result *r)
{
    for (int i = r->proofs - 1; i >= 0; i--)
        if (tune_same_setting(&r->proof[i].setting, &r->after))
            return &r->proof[i];
    return NULL;
}

tune_measurement tune_measurement_of(const tune_model *m, const tune_setting *s)
{
    tune_measurement x = { .trajectories = 0 };
    double four = 0;
    int timed = 0;
    for (int i = 0; i < m->samples; i++) {
        const tune_sample *of = &m->sample[i];
        if (!tune_same_setting(&of->made, s))
            continue;
        x.trajectories++;
        x.variance += of->dh * of->dh;
        four += pow(of->dh, 4);
        x.seconds += of->seconds;
        timed += of->seconds > 0;
    }
    if (timed == 0)
        return (tune_measurement){ .trajectories = 0 };
    x.variance /= x.trajectories;
    x.seconds /= timed;
    x.error = tune_variance_error(x.variance, four / x.trajectories, x.trajectories);
    return x;
}

double tune_variance_error(double two, double four, double count)
{
    return sqrt(fmax(four - two * two, 2 * two * two) / count);
}

double tune_cost_ratio(const tune_result *r)
{
    return r->then.cost / r->now.cost;
}

double tune_cost_ratio_error(const tune_result *r)
{
    return tune_cost_ratio(r) * hypot(r->then.acceptance_error / r->then.acceptance,
                                      r->now.acceptance_error / r->now.acceptance);
}

static double measured_cost(const tune_model *m, const tune_proof *p)
{
    return tune_predict(m, &p->setting).seconds / tune_acceptance(p->variance);
}

const tune_proof *tune_nearest_proof(const tune_result *r, const tune_model *m)
{
    const tune_proof *least = NULL, *nearest = NULL;
    for (const tune_proof *p = r->proof; p < r->proof + r->proofs; p++)
        if (p->enough && (!least || p->variance < least->variance))
            least = p;
    for (const tune_proof *p = r->proof; least && p < r->proof + r->proofs; p++)
        if (p->enough && p->variance - least->variance <= hypot(p->variance_error, least->variance_error)
            && (!nearest || measured_cost(m, p) < measured_cost(m, nearest)))
            nearest = p;
    return nearest;
}

void tune_conclude_proof(tune_proof *p)
{
    const double n = p->trajectories;
    p->seconds = p->sums.seconds / n;
    p->variance = p->sums.two / n;
    p->variance_error = tune_variance_error(p->variance, p->sums.four / n, n);
    p->accepted = p->sums.accepted / n;
    p->exp_minus_dh = p->sums.e / n;
    /* A few trajectories underestimate the scatter: use at least that of dH with the predicted variance. */
    p->exp_error = sqrt(fmax(p->sums.ee / n - p->exp_minus_dh * p->exp_minus_dh, expm1(p->predicted.variance)) / n);
    tune_judge(p);
}

void tune_conclude_order(tune_result *r)
{
    r->order = log(r->order_dh[1] / r->order_dh[0]) / log((double)r->order_steps[0] / (double)r->order_steps[1]);
}

void tune_conclude_slope(tune_result *r, const tune_model *m)
{
    double mp = 0, pp = 0, scatter = 0;
    int count = 0;
    for (const tune_sample *x = m->sample; x < m->sample + m->samples; x++) {
        mp += x->learning ? x->dh * x->predicted : 0;
        pp += x->learning ? x->predicted * x->predicted : 0;
        count += x->learning;
    }
    r->slope = mp / pp;
    for (const tune_sample *x = m->sample; x < m->sample + m->samples; x++)
        scatter += x->learning ? pow(x->dh - r->slope * x->predicted, 2) : 0;
    r->slope_error = count > 1 ? sqrt(scatter / (count - 1) / pp) : NAN;
}

void tune_prefer_proven(tune_setting *chosen, tune_prediction *found, const tune_result *r, const tune_model *m,
                        double target)
{
    double most = found->cost / TUNE_GAIN;
    for (const tune_proof *p = r->proof; p < r->proof + r->proofs; p++) {
        const tune_prediction now = tune_predict(m, &p->setting);
        if (!tune_reaches(&now, target) || now.cost > most || !tune_is_reached(p, target))
            continue;
        *chosen = p->setting;
        *found = now;
        most = now.cost;
    }
}
