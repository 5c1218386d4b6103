/* tune_model.h - predict variance of dH, acceptance and time of a setting of the integrator from trajectories with
 * another setting; find the cheapest setting.
 *
 * Trajectories with the same start end at nearly the same links and momenta for any number of steps.  So the brackets
 * at both ends, measured once, give dH to second order in the steps for every scheme, lambda, number of steps and
 * nesting (integrators/shadow.h).  The rest of the measured dH is taken as fourth order and scaled by the fourth power
 * of the outermost step; for fourth-order schemes it is the only contribution.  The two orders may cancel only if
 * nothing but the number of outermost steps differs, because the fourth order belongs to its lambda and nesting.  How
 * much longer than measured a step may be is in tune_bounds.h.
 *
 *     acceptance = erfc( sqrt( <dH^2> / 8 ) )          for dH of a normal distribution, of mean <dH^2>/2 = variance/2
 *     cost       = seconds of a trajectory / (acceptance x length)
 *
 * S. Gupta, A. Irback, F. Karsch, B. Petersson, Phys. Lett. B 242 (1990) 437; M. A. Clark, A. D. Kennedy, P. J. Silva,
 * arXiv:0810.1315; A. Bussone, M. Della Morte, V. Drach, C. Pica, arXiv:1801.06412. */
#ifndef KILN_TUNE_TUNE_MODEL_H
#define KILN_TUNE_TUNE_MODEL_H

#include "src/tune/tune_samples.h"

/* Errors come from the finite number of samples.  `largest`: the variance with the largest rest that the samples do not
 * exclude, at least `variance`. */
typedef struct {
    double variance, error, acceptance, acceptance_error, seconds, cost, largest;
    double margin;                         /* of the acceptance above a target: from the scatter of the samples alone */
} tune_prediction;

/* dH to second order of a trajectory, from the change of its brackets. */
double tune_predict_dh(const tune_model *m, const tune_setting *s, const brackets *change);

/* Add a trajectory with this setting.  Returns its sample; NULL: there are TUNE_SAMPLES already, and it is ignored. */
tune_sample *tune_add(tune_model *m, const tune_setting *s, const brackets *change, double dh);

/* Add a trajectory with this setting whose dH is not finite. */
void tune_add_lost(tune_model *m, const tune_setting *s);

/* How many trajectories were not lost: those of which predictions are made. */
int tune_measured(const tune_model *m);

tune_prediction tune_predict(const tune_model *m, const tune_setting *s);

/* Rescale all trajectories for a term whose brackets change from `from` to `to`: (F_t, F_t) and the second derivative
 * of the term with their own ratios, products with other forces with the square root of the first, its omega^2 with
 * the second. */
void tune_rescale(tune_model *m, int term, const brackets *to, const brackets *from);

/* Rescale the times of a model for a term with other parameters: its force and the refresh of all terms take longer by
 * the factor by which they do in a lab with these (`to`) than in one with those of the model (`from`). */
void tune_rescale_times(lab_times *model, int term, const lab_times *to, const lab_times *from);

/* The bounds of steps that a search observes: all, those for a setting that is to be measured, or none. */
typedef enum { BOUND_ALL, BOUND_TO_MEASURE, BOUND_NONE } observed_bounds;

/* The cheapest setting with the schemes of `from` whose acceptance minus its margin is at least `target`; with
 * `lambdas`, lambda is also chosen.  tune_find observes all bounds. */
tune_setting tune_find(const tune_model *m, const tune_setting *from, double target, bool lambdas,
                       tune_prediction *found);
tune_setting tune_find_within(const tune_model *m, observed_bounds bounds, const tune_setting *from, double target,
                              bool lambdas, tune_prediction *found);

/* Whether acceptance minus its margin is at least the target.  If no setting within the bounds reaches the target, the
 * setting that tune_find returns is `from`, and its prediction does not reach it. */
bool tune_reaches(const tune_prediction *p, double target);

/* The cheapest setting whose steps add at most a quarter to the floor of <dH^2>. */
tune_setting tune_find_on_floor(const tune_model *m, const tune_setting *from, bool lambdas, tune_prediction *found);

/* erfc(sqrt(variance / 8)) */
double tune_acceptance(double variance);

/* The steps of a level are multiples of this. */
int64_t tune_granularity(const level_params *level);

#endif
