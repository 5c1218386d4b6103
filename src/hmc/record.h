/* record.h - run.jsonl: one JSON object a trajectory, and what continues of it after a stop. */
#ifndef KILN_HMC_RECORD_H
#define KILN_HMC_RECORD_H

#include "src/hmc/hmc.h"

typedef struct record record;

/* Whether DIRECTORY/run.jsonl tells of nothing yet. */
bool record_is_empty(const char *directory);

/* Open DIRECTORY/run.jsonl for appending after trajectory `last`: lines of later trajectories (made after
 * the checkpoint that the run continues from, and about to be made again) and a torn last line are cut off;
 * `*dropped` counts them.  NULL with the reason. */
record *record_open(const char *directory, int64_t last, int64_t *dropped, failure *f);
void record_close(record *r);

/* What is measured of the links after every trajectory. */
typedef struct {
    plaquette_means plaquette;
    double rectangle, parallelogram;
    polyakov_mean polyakov;             /* in the t direction */
} record_observables;
record_observables record_measure(const gauge *u);

/* Append the line of trajectory `number` and make it durable (fsync). */
bool record_append(record *r, int64_t number, const hmc *h, const hmc_outcome *o, const record_observables *m,
                   const clock_tree *clock, failure *f);

#endif
