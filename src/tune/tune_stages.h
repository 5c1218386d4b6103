/* tune_stages.h - the stages of a tuning that change masses, solvers, integrators, residuals and steps of the input. */
#ifndef KILN_TUNE_TUNE_STAGES_H
#define KILN_TUNE_TUNE_STAGES_H

#include "src/tune/tuning.h"

/* Try other Hasenbusch masses; better ones are chosen, and the model is updated. */
bool tune_masses(tuning *t);

/* Try the fixed kinds of solvers of every monomial with solves; a clearly faster one is chosen. */
bool tune_solvers(tuning *t);

/* Try other integrators for every level; one that is better beyond errors is chosen, and the model is of it alone. */
bool tune_schemes(tuning *t);

/* Measure the change of dH by the residuals of forces; the loosest ones that hardly change it are chosen. */
bool tune_residuals(tuning *t);

/* Measure dH with longer steps while a setting that needs them may be clearly cheaper, or alone reach the target. */
bool tune_longer_steps(tuning *t);

/* Whether an earlier call, with the same request, had time for all: its choice stays. */
bool tune_has_ended(const tuning *t);

/* Choose the cheapest setting that reaches the target, and verify it; or keep the nearest one that was verified. */
bool tune_choose(tuning *t);

/* Note the setting that the bounds of steps exclude. */
void tune_note_excluded(tuning *t);

/* Find a number of steps for which dH is in the range for learning, on thermalized links; and one trajectory for the
 * model, before the Metropolis test (lab_accept). */
bool tune_find_steps(tuning *t, tune_setting *s);
bool tune_learn_one(tuning *t, const tune_setting *s, double *dh);

#endif
