/* tuning.h - the state of a tuning. */
#ifndef KILN_TUNE_TUNING_H
#define KILN_TUNE_TUNING_H

#include "src/ensemble/run_limits.h"
#include "src/hmc/run_input.h"
#include "src/io/state_memory.h"
#include "src/tune/trial_store.h"
#include "src/tune/tune_result.h"

/* Sums of (F_t, F_t) of each term over the ends of learning trajectories, and their number. */
typedef struct { double sum[LAB_TERMS], sum2[LAB_TERMS], count; } force_sums;

typedef struct {
    tune_result *r;
    const tune_request *w;
    const tune_source *source;
    const run_input *in;
    gauge *u;
    const char *origin;                    /* of the first links, in words; NULL: unknown */
    text conditions;                       /* of this call (tune_conditions.h) */
    lab *l;                                /* for the input with the values chosen so far */
    run_input tuned;                       /* this input; its tree is NULL while nothing has changed */
    state_memory memory;
    tune_model model;
    trial_store trials;                    /* tune_trials.h */
    tune_model *learned;                   /* during these stages: the model before them; else NULL */
    double learned_one;                    /* and `one` before them */
    tune_model *given;                     /* the model of the integrators of the input; NULL: `model` is that one */
    tune_setting from;                     /* the setting whose schemes are used */
    force_sums forces;
    tune_setting learning;                 /* with these steps */
    int64_t number;                        /* number of trajectories so far */
    int64_t saved;                         /* this number in the checkpoint; 0: none */
    bool continued;                        /* from a checkpoint */
    struct { uint64_t digest; int first; int64_t saved, stale; } verification;     /* tune_verification.h: of what it
                                            * depends on, its first sample, its numbers here and in an older file */
    double target_before;                  /* for which `choice` was verified; 0: none yet */
    bool lambdas_kept;                     /* without other values of lambda (--keep-lambda) */
    tune_setting choice;                   /* the setting that is being verified, or the result; before, the input's */
    bool ended;                            /* the latter: the last call had time for all */
    double began;
    double opened;                         /* when the first trajectory began; 0: the estimate has been logged */
    double plain;                          /* seconds of the last trajectory without brackets */
    double one;                            /* seconds of the last trajectory with brackets; 0: none yet */
    tune_setting one_setting;              /* with this setting */
    int64_t thermalization;                /* trajectories of it; 0 if the links are thermalized */
    const run_limits *limits;              /* their signal; NULL: none */
    failure *f;
} tuning;

/* Whether less than this fraction of the time limit has passed. */
bool tune_has_time(const tuning *t, double part);

/* True, or at a signal false, with the reason in t->f. */
bool tune_goes_on(const tuning *t);

/* The parameters of the input with the values chosen so far. */
const run_params *tuning_params(const tuning *t);

/* Replace the lab by one for the input with the values chosen so far. */
bool tune_open_lab(tuning *t);

/* Read the input with the values chosen so far and one more (NULL: none); false if it is not valid. */
bool tune_read_with(run_input *in, const tuning *t, const char *set);

/* Whether the input is valid with the values chosen so far and `set`.  Asked also for a trial of an earlier call,
 * because keys that trials do not use may have changed since. */
bool tune_can_read_with(const tuning *t, const char *set);

/* Make the input with the values chosen so far the tuned input. */
bool tune_apply_sets(tuning *t);

/* Whether all values are those of the input. */
bool tune_is_as_given(const tuning *t);

/* The seconds of the lab, or of the model while the lab has none, or of the request. */
lab_times tune_times_of(const tuning *t);

/* The cheapest setting of a model. */
tune_prediction tune_best_of(const tuning *t, const tune_model *m);

#endif
