/* tune_bounds.h - how much longer than measured a step may be.
 *
 * The prediction of a setting is dH to second order in the steps, and a rest that is known for the measured steps only.
 * Three bounds keep a setting near these:
 *
 *     stability  omega dt is at most TUNE_STABLE times the limit of the scheme (integrators/stability.h).  omega^2 is
 *                the sum of the largest ones of all terms on this level and inner ones, because outer kicks resonate
 *                with fast inner oscillations.  Towards the limit dH grows faster than any power of the step: for
 *                leapfrog its second order is multiplied by 1 / (1 - (omega dt / 2)^2), here at most 1.6.  How strong a
 *                resonance is depends on the outer force; so a measurement may go further, with omega of its own level.
 *     growth     a step is at most TUNE_GROWTH times as long as one with which dH was measured.
 *     rest       all of the rest may come from one level e, and its square then grows as the eighth power of the step
 *                of this level.  But for every nesting f with which dH was measured, it is at most the rest there:
 *
 *                    rest^2 <= max_e min_f rest_f^2 (dt_e / dt_ef)^8
 *
 *                and at least that of a nesting whose steps are shorter on all levels, max_f min_e of the same.
 *
 * A lost trajectory (TUNE_DH_LOST) says nothing of the size of dH, but no setting is chosen all of whose steps are at
 * least as long as those with which one was lost.
 *
 * Steps with which dH was measured and small are allowed, whatever their omega dt.  If no step of an inner level is
 * longer, relative to the outermost one, than the measured steps, the last bound is the rest of the prediction itself.
 * The fourth order of the shadow Hamiltonian: A. D. Kennedy, P. J. Silva, M. A. Clark, arXiv:1210.6600. */
#ifndef KILN_TUNE_TUNE_BOUNDS_H
#define KILN_TUNE_TUNE_BOUNDS_H

#include "src/tune/tune_samples.h"

#define TUNE_STABLE 0.6
#define TUNE_GROWTH 2.5

/* For all settings that differ in the number of outermost steps n alone. */
typedef struct {
    double least, least_to_measure;        /* n, by the bounds of stability and growth */
    double lost;                           /* n must be larger, by lost trajectories */
    bool is_stability;                     /* the first one comes from stability: */
    double omega_dt, limit;                /* with one outermost step; TUNE_STABLE times the limit of the scheme */
    double rest;                           /* n^8 times the largest square of the rest that was not excluded */
    double likely, at_least;               /* the same, and n^8 times the least square, within two statistical errors */
    int least_level, rest_level;           /* that decide */
    int measured;                          /* the sample whose nesting bounds the rest on this level */
} step_bounds;

/* Whether the dH of a trajectory is known: it was not lost. */
bool tune_is_measured(const tune_sample *x);

step_bounds step_bounds_of(const tune_model *m, const tune_setting *s);

/* The largest ratio, over the levels, of the step of a setting to that of another one. */
double step_ratio(const tune_setting *s, const tune_setting *than);

/* The number of steps of a level in a trajectory. */
double step_count(const tune_setting *s, int level);

#endif
