/* record.h - run.jsonl, the record of a run: one JSON object a trajectory.
 *
 * Times, in seconds.  A line cannot contain the time that writing it takes; the next line does:
 *     "seconds"        this trajectory, measurements included: the timer "trajectory"
 *     "timers"         "trajectory" belongs to this line; "record" and "files" are the times to write the line before,
 *                      and the configuration or checkpoint of that earlier trajectory
 *     "wall_seconds"   the time since the line before, or since the run began or continued: the sum of all lines is the
 *                      time of all runs, without opening them and without the files after their last lines
 *
 * "joules" is the energy that the GPUs of all ranks use in these "seconds" (comm/energy_meter.h), including the use by
 * other programs.  It is absent on the CPU, with --replica-groups, if a GPU has no counter, and if a counter was reset.
 *
 * Digests.  "input_digest" identifies the parameters, "chain" all trajectories up to this one (chain.h); members before
 * "bytes_to_device" are reproducible.  "configuration": a configuration is due after this trajectory; "target":
 * hmc.trajectories of the run, which may differ from parameters.yaml.  The last member, "digest", is the checksum of
 * the line itself (checksummed_line.h). */
#ifndef KILN_ENSEMBLE_RECORD_H
#define KILN_ENSEMBLE_RECORD_H

#include "src/ensemble/chain.h"
#include "src/hmc/hmc.h"

typedef struct record record;

/* Whether DIRECTORY/run.jsonl has no lines yet. */
bool record_is_empty(const char *directory);

/* Open DIRECTORY/run.jsonl, whose first line is that of trajectory `start` + 1, for appending after trajectory `last`.
 * Lines of later trajectories, which the run will generate again, and a torn last line are cut off.  NULL with the
 * reason. */
typedef struct {
    int64_t dropped, torn;              /* lines that were cut off; 1 if the last of them was not complete, else 0 */
    int64_t missing;                    /* trajectories from `start` + 1 to `last` without a line */
    int64_t changed, first_changed;     /* lines whose checksum does not hold, and the number of the first of them */
    int64_t sdc_checked;                /* the last trajectory up to `last` with an SDC check; 0: none */
    int64_t target;                     /* of the last line that stays; 0: unknown */
} record_cut;
record *record_open(const char *directory, int64_t start, int64_t last, record_cut *cut, failure *f);
void record_close(record *r);

/* Measured after every trajectory. */
typedef struct {
    plaquette_means plaquette;
    double rectangle, parallelogram;
    polyakov_mean polyakov;             /* in the t direction */
} record_observables;
record_observables record_measure(const gauge *u);

/* What the line of a trajectory is made of; all pointers are borrowed. */
typedef struct {
    int64_t trajectory;                         /* its number in the stream */
    const hmc *h;                               /* names and reports of the terms */
    const hmc_outcome *outcome;
    const record_observables *observables;
    const json *measurements;                   /* an object; NULL: none were due */
    const json *sdc_check;                      /* the result of the SDC check, an object; NULL: there was none */
    const clock_tree *clock;                    /* the timers of the line */
    double wall_seconds;                        /* since the line before */
    double joules;                              /* of the trajectory; NaN: unknown */
    uint64_t input_digest;                      /* of the parameters */
    chain_value chain;                          /* after the trajectory */
    bool configuration;                         /* one is kept after the trajectory */
    int64_t target;                             /* trajectories that the ensemble is to have */
} record_entry;

/* What trajectory `number` adds to the chain. */
chain_link record_chain_link(const run_params *p, uint64_t input_digest, int64_t number, const hmc_outcome *o,
                             const record_observables *m);

/* Append a line, and make it durable (fsync). */
bool record_append(record *r, const record_entry *entry, failure *f);

#endif
