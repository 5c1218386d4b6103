/* checkpoint_values.h - settings, trajectories, longer steps and proofs of a tuning in JSON.
 *
 * Functions that write append members to the open object.  Those that read are false if a member is missing or
 * damaged, except that a missing target, keep_lambda or ended means that there is no choice, and that a missing dH or
 * time is NaN.  They add to the model and the result of the tuning. */
#ifndef KILN_TUNE_CHECKPOINT_VALUES_H
#define KILN_TUNE_CHECKPOINT_VALUES_H

#include "src/base/json.h"
#include "src/base/json_read.h"
#include "src/tune/tuning.h"

/* A number of trajectories from 0 to `most`; false, and 0, if there is none. */
bool checkpoint_read_count(int *to, yyjson_val *object, const char *key, int most);
bool checkpoint_read_reals(double *to, int count, yyjson_val *object, const char *key);

/* Steps and values of lambda; read, with the integrators and monomials of `t->from`. */
void checkpoint_add_setting(json *j, const tune_setting *s);
bool checkpoint_read_setting(tune_setting *s, const tuning *t, yyjson_val *object);

/* The trajectories of a model from number `first`, from 0; when read, the model gets these and keeps its own. */
void checkpoint_add_trajectories(json *j, const tune_model *m, int first);
bool checkpoint_read_trajectories(tuning *t, yyjson_val *object);

/* Trials of longer steps, and proofs. */
void checkpoint_add_steps(json *j, const tune_result *r);
bool checkpoint_read_steps(tuning *t, yyjson_val *object);

/* The choice, the target and the options for which it was made, and whether its call had time for all. */
void checkpoint_add_choice(json *j, const tuning *t);
bool checkpoint_read_choice(tuning *t, yyjson_val *object);

/* Seconds of the parts of a trajectory. */
void checkpoint_add_times(json *j, const lab_times *times);
bool checkpoint_read_times(lab_times *times, yyjson_val *object);

#endif
