/* record.h - run.jsonl: one JSON object a trajectory, and what continues of it after a stop.
 *
 * Times, in seconds.  A line cannot hold what comes after it has been written, so that is in the next one:
 *     "seconds"        this trajectory, measurements included: the timer "trajectory"
 *     "timers"         "trajectory" of this line; "record" and "files" are the line before this one, and the
 *                      configuration or checkpoint of that earlier trajectory
 *     "wall_seconds"   the time since the line before, or since the run began or continued: all lines together
 *                      have the time of all runs, but for opening them and the files after their last lines
 *
 * Digests.  "input_digest" names the parameters, "chain" all trajectories up to this one (chain.h); what stands before
 * "bytes_to_device" is the same wherever and however often the trajectory is made.  "configuration": one is kept after
 * it; "target": hmc.trajectories of the run that made it, which need not be that of parameters.yaml.  The last member,
 * "digest", is that of the line itself (checksummed_line.h). */
#ifndef KILN_ENSEMBLE_RECORD_H
#define KILN_ENSEMBLE_RECORD_H

#include "src/ensemble/chain.h"
#include "src/hmc/hmc.h"

typedef struct record record;

/* Whether DIRECTORY/run.jsonl tells of nothing yet. */
bool record_is_empty(const char *directory);

/* Open DIRECTORY/run.jsonl for appending after trajectory `last`: lines of later trajectories (made after
 * the checkpoint that the run continues from, and about to be made again) and a torn last line are cut off.
 * NULL with the reason. */
typedef struct {
    int64_t dropped;                    /* lines that were cut off */
    int64_t missing;                    /* trajectories up to `last` without a line */
    int64_t changed, first_changed;     /* lines that are not what was written, and the number of the first of them */
    int64_t looked_at;                  /* the last trajectory left that the SDC check has looked at; 0: none */
} record_cut;
record *record_open(const char *directory, int64_t last, record_cut *cut, failure *f);
void record_close(record *r);

/* What is measured of the links after every trajectory. */
typedef struct {
    plaquette_means plaquette;
    double rectangle, parallelogram;
    polyakov_mean polyakov;             /* in the t direction */
} record_observables;
record_observables record_measure(const gauge *u);

/* What the line of a trajectory is made of; all pointers are borrowed. */
typedef struct {
    int64_t trajectory;                         /* its number in the stream, from 1 */
    const hmc *h;                               /* names and reports of the terms */
    const hmc_outcome *outcome;
    const record_observables *observables;
    const json *measurements;                   /* an object; NULL: none were due */
    const json *sdc_check;                      /* the result of the SDC check, an object; NULL: there was none */
    const clock_tree *clock;                    /* the timers of the line */
    double wall_seconds;                        /* since the line before */
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
