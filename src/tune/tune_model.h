/* tune_model.h - what a setting of the integrator would give, from trajectories made with another one: variance of dH,
 * acceptance, time; and the cheapest setting.
 *
 * A trajectory of given start ends nearly at the same links and momenta whatever the steps are.  So the brackets at
 * both ends of one, measured once, say what dH is of second order in the steps for every scheme, lambda, number of
 * steps and nesting (integrators/shadow.h); what dH was beyond, taken to be of fourth order, is scaled by the fourth
 * power of the outermost step.  With schemes of fourth order that is all there is.  The two may cancel only where
 * nothing but the number of outermost steps differs: what is beyond the second order belongs to its lambda and
 * nesting.
 *
 *     acceptance = erfc( sqrt( <dH^2> / 8 ) )          for dH of a normal distribution, of mean <dH^2>/2 = variance/2
 *     cost       = seconds of a trajectory / (acceptance x length)
 *
 * S. Gupta, A. Irback, F. Karsch, B. Petersson, Phys. Lett. B 242 (1990) 437; M. A. Clark, A. D. Kennedy, P. J. Silva,
 * arXiv:0810.1315; A. Bussone, M. Della Morte, V. Drach, C. Pica,
 * arXiv:1801.06412. */
#ifndef KILN_TUNE_TUNE_MODEL_H
#define KILN_TUNE_TUNE_MODEL_H

#include "src/tune/tune_lab.h"

typedef struct { int count; level_params level[SHADOW_LEVELS]; } tune_setting;    /* lists of names are the input's */

/* A trajectory: how its brackets changed, its dH, what was predicted for it, and the setting it was made with. */
typedef struct { brackets change; double dh, predicted; tune_setting made; } tune_sample;

enum { TUNE_SAMPLES = 256 };
typedef struct {
    int terms, level[LAB_TERMS];                  /* of each term, in the schedule */
    double length;
    lab_times times;
    int samples;
    tune_sample sample[TUNE_SAMPLES];
} tune_model;

/* Errors are those that the number of samples leaves. */
typedef struct { double variance, error, acceptance, acceptance_error, seconds, cost; } tune_prediction;

/* dH to second order, of a trajectory whose brackets change so. */
double tune_predict_dh(const tune_model *m, const tune_setting *s, const brackets *change);

/* Keep a trajectory made with this setting (beyond TUNE_SAMPLES it is dropped). */
void tune_add(tune_model *m, const tune_setting *s, const brackets *change, double dh);

tune_prediction tune_predict(const tune_model *m, const tune_setting *s);

/* The cheapest setting with the schemes of `from` whose acceptance, less its error, is at least `target`; lambda too is
 * chosen where `lambdas`. */
tune_setting tune_find(const tune_model *m, const tune_setting *from, double target, bool lambdas,
                       tune_prediction *found);

/* erfc(sqrt(variance / 8)) */
double tune_acceptance(double variance);

/* Steps of a level come in multiples of this. */
int64_t tune_granularity(const level_params *level);

#endif
