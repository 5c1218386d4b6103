/* tuning.h - a tuning under way. */
#ifndef KILN_TUNE_TUNING_H
#define KILN_TUNE_TUNING_H

#include "src/hmc/run_input.h"
#include "src/io/state_memory.h"
#include "src/tune/tune_result.h"

typedef struct {
    tune_result *r;
    const tune_request *w;
    const tune_source *source;
    const run_input *in;
    gauge *u;
    lab *l;                                /* of the input with the masses that were taken so far */
    run_input taken;                       /* that input; its tree is NULL while it is the one given */
    state_memory memory;
    tune_model model;
    int64_t number;                        /* of trajectories so far */
    double began;
    const volatile sig_atomic_t *stop;
    failure *f;
} tuning;

/* Whether less than this part of the time that there is has been used. */
bool tune_has_time(const tuning *t, double part);

/* Of the input with the masses taken. */
const run_params *tuning_params(const tuning *t);

/* A lab for the input with the masses taken, in the place of the one there is. */
bool tune_open_lab(tuning *t);

/* The input with the values taken so far and one more (NULL: none); false where it is none. */
bool tune_read_with(run_input *in, const tuning *t, const char *set);

/* The values taken so far become the input that is tuned. */
bool tune_take_sets(tuning *t);

/* The cheapest setting of a model. */
tune_prediction tune_best_of(const tuning *t, const tune_model *m);

#endif
