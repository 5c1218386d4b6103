/* trial_store.h - the measurements of trials of a tuning, by name, so that a call that continues it uses them again.
 *
 * A measurement is a list of numbers: brackets, times, trajectories.  All were made from the same links, under the same
 * conditions.  Decisions are not stored: they follow from the measurements. */
#ifndef KILN_TUNE_TRIAL_STORE_H
#define KILN_TUNE_TRIAL_STORE_H

#include "src/base/json.h"
#include "src/base/json_read.h"
#include "src/base/text.h"

typedef struct { text name; int count; double *value; } stored_trial;       /* no values: it was not possible */

typedef struct {
    int64_t number;                        /* of the trajectory with whose links they were made; 0: none yet */
    int learned, samples;                  /* trajectories to learn from at that time, and all of the model */
    text conditions;                       /* under which they were made (tune_conditions.h), in words */
    int count, capacity;
    stored_trial *item;
} trial_store;

/* The trial of this name; NULL if there is none. */
const stored_trial *trial_store_find(const trial_store *s, const char *name);

void trial_store_add(trial_store *s, const char *name, const double *value, int count);

/* Forget everything. */
void trial_store_clear(trial_store *s);

/* Append the member "trials" to the open object, and read it; false if it is damaged.  Without it there are none. */
void trial_store_to_json(json *j, const trial_store *s);
bool trial_store_read(trial_store *s, yyjson_val *object);

#endif
