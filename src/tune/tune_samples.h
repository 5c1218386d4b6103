/* tune_samples.h - what a tuning knows: trajectories, their settings, and times. */
#ifndef KILN_TUNE_TUNE_SAMPLES_H
#define KILN_TUNE_TUNE_SAMPLES_H

#include "src/tune/tune_lab.h"

/* The |dH| from which a trajectory is lost: a lost one does not say how large dH is. */
#define TUNE_DH_LOST 10.0

typedef struct { int count; level_params level[SHADOW_LEVELS]; } tune_setting;    /* lists of names are the input's */

/* A trajectory: the change of its brackets, dH, the predicted dH, its setting, its seconds without the brackets.
 * learning: it is not one of a trial or a proof; on_floor: its dH is of the floor. */
typedef struct {
    brackets change;
    double dh, predicted;
    tune_setting made;
    double seconds;                               /* 0: not measured */
    bool learning, on_floor;
} tune_sample;

/* Whether two settings have the same schemes, steps and values of lambda. */
bool tune_same_setting(const tune_setting *a, const tune_setting *b);

enum { TUNE_SAMPLES = 256 };
typedef struct {
    int terms, level[LAB_TERMS];                  /* of each term, in the schedule */
    double length;
    double omega2[LAB_TERMS];                     /* largest omega^2 of each term; 0: not measured */
    lab_times times;
    double floor, floor_error;                    /* part of <dH^2> that no steps reduce (tune_floor.h); 0: none */
    int samples;
    tune_sample sample[TUNE_SAMPLES];
} tune_model;

#endif
