/* tune_time.h - divide the time limit of a tuning among its stages.
 *
 * Thermalization, learning and proof come first.  Learning leaves time for the proof, at most a share of the limit.
 * Other trials get the time that then remains.  No trajectory and no trial begins that would end after the limit.
 * Exceptions: thermalization, the search for steps after it, the first two trajectories of learning, and one that
 * measures times where those of a checkpoint belong to other conditions.  Seconds are measured, and predicted for other
 * steps. */
#ifndef KILN_TUNE_TUNE_TIME_H
#define KILN_TUNE_TUNE_TIME_H

#include "src/tune/tuning.h"

/* Note the seconds of a trajectory with this setting and with brackets at both ends. */
void tune_time_note(tuning *t, const tune_setting *s, double seconds);

/* The predicted seconds of such a trajectory with a setting; 0 while none is known. */
double tune_time_of(const tuning *t, const tune_setting *s);

/* Whether this number of seconds is left. */
bool tune_time_left(const tuning *t, double seconds);

/* Whether a trajectory of the measurement may begin: the proof fits after it, or has its share of the limit. */
bool tune_time_to_learn(const tuning *t, const tune_setting *s);

/* Whether a trial that is not necessary may begin: less than `part` of the limit has passed, and these seconds and the
 * proof of the present choice fit. */
bool tune_time_to_try(const tuning *t, double part, double seconds);

/* Add trajectories with a setting to what was left out: `missing` of `planned`. */
void tune_time_leave_out(tuning *t, const char *stage, int64_t missing, int64_t planned, const tune_setting *s);

/* Log an estimate of the time of all trajectories but those of trials, from the first one, which has just ended, and
 * forget `opened`. */
void tune_log_estimate(tuning *t);

#endif
