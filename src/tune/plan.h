/* plan.h - what a run will take: time from a short probe or from rates, and disk; memory is hmc_memory's.
 *
 * A trajectory is made of parts: so many forces of each term, updates of the links, two energies, a refresh.  A part
 * is timed by itself, on links at hand, and the time of a trajectory is the sum over parts of calls times seconds. */
#ifndef KILN_TUNE_PLAN_H
#define KILN_TUNE_PLAN_H

#include "src/hmc/hmc.h"

#include <signal.h>

typedef struct {
    char name[64];
    double calls;                  /* in a trajectory */
    int64_t timed;                 /* calls that were timed; 0: `seconds` is from rates, or not known (NaN) */
    double seconds, error;         /* of one call; error: NaN where it was timed once */
} plan_part;

enum { PLAN_PARTS = HMC_TERMS + MEASUREMENTS_MAX + 8 };

typedef struct {
    int parts;
    plan_part part[PLAN_PARTS];
    bool by_probe;                 /* else from rates: a lower bound */
    double copy;                   /* bytes a second, read and written; 0: not known */
    double took;                   /* seconds of the probe */
    double plaquette[2];           /* of the links that it began and ended with */
    json solves;                   /* what the terms tell of their solves, an object (json_free); by_probe only */
} plan_time;

/* Seconds of a trajectory, and the error that follows from those of the parts that have one, which take `covered` of
 * these seconds; it is NaN where none has one.  `unknown` counts parts whose seconds are not known, `once` those timed
 * once: of one sample there is no error. */
typedef struct { double seconds, error, covered; int unknown, once; } plan_sum;
plan_sum plan_time_sum(const plan_time *t);

/* What is timed, and for how long; all borrowed. */
typedef struct {
    const run_params *params;
    gauge *u;                      /* moves on the way, by forces and drifts of the innermost step */
    const state_memory *memory;    /* what goes with these links */
    double seconds;                /* about; each part is timed once at least */
    const volatile sig_atomic_t *stop;    /* set: the probe ends early; NULL: never */
} plan_probe;

/* False with the reason where a term could not go on, or `*stop` was set. */
bool plan_time_probe(plan_time *t, const plan_probe *of, failure *f);

/* From a rate of bytes a second, with so many iterations of each solve of a force (0: not known; then forces with
 * solves are without them). */
void plan_time_from_rate(plan_time *t, const run_params *p, double bytes_a_second, double iterations);

/* Bytes on disk, those that are there already left out. */
typedef struct {
    int64_t trajectories;          /* still to be made */
    int64_t configurations;        /* to be written */
    double configuration, checkpoint;    /* of one file */
    double checkpoints;            /* of all that are there at one time */
    double record;                 /* lines of the trajectories, estimated */
    double total;
    double available;              /* in the file system of the output folder, for this user; NaN: not known */
    text folder;                   /* whose file system that is: it or the nearest one above it (text_free) */
} plan_disk;
void plan_disk_make(plan_disk *d, const run_params *p);

#endif
