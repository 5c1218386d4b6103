/* plan.h - the time of a run, from a short probe or from rates, and its disk space (for memory see hmc_memory).
 *
 * A trajectory consists of parts: forces of each term, updates of the links, two energies, a refresh.  Each part is
 * timed by itself on given links; the time of a trajectory is the sum over parts of calls times seconds. */
#ifndef KILN_TUNE_PLAN_H
#define KILN_TUNE_PLAN_H

#include "src/ensemble/run_limits.h"
#include "src/hmc/hmc.h"

typedef struct {
    char name[64];
    double calls;                  /* per trajectory */
    int64_t timed;                 /* timed calls; 0: `seconds` comes from rates, or is unknown (NaN) */
    double seconds, error;         /* of one call; error: NaN if timed once */
} plan_part;

enum { PLAN_PARTS = HMC_TERMS + MEASUREMENTS_MAX + 8 };

typedef struct {
    int parts;
    plan_part part[PLAN_PARTS];
    bool by_probe;                 /* else from rates: a lower bound */
    double copy;                   /* bytes per second, read and written; 0: unknown */
    double took;                   /* seconds of the probe */
    double watts;                  /* mean power of the GPUs of all ranks in the probe; 0: unknown */
    double plaquette[2];           /* of the first and the last links */
    json solves;                   /* reports of the terms on their solves, an object (json_free); by_probe only */
} plan_time;

/* Seconds of a trajectory, and the error from the parts that have one; these parts take `covered` of the seconds.  The
 * error is NaN if no part has one.  `unknown` counts parts with unknown seconds, `once` those timed once, without an
 * error. */
typedef struct { double seconds, error, covered; int unknown, once; } plan_sum;
plan_sum plan_time_sum(const plan_time *t);

/* Joules of a trajectory at the mean power of the probe; NaN: unknown. */
double plan_time_joules(const plan_time *t);

/* The request for a probe; all borrowed. */
typedef struct {
    const run_params *params;
    gauge *u;                      /* changed by forces and drifts of the innermost step */
    const state_memory *memory;    /* of the state with these links */
    double seconds;                /* approximate duration; each part is timed at least once */
    const run_limits *limits;      /* end the probe early; may be NULL */
} plan_probe;

/* Time the parts.  False with the reason if a term fails, or at the limits (their `stopped` is then true). */
bool plan_time_probe(plan_time *t, const plan_probe *of, failure *f);

/* Compute the time from a rate in bytes per second and the iterations of each solve of a force (0: unknown; then forces
 * do not include their solves). */
void plan_time_from_rate(plan_time *t, const run_params *p, double bytes_a_second, double iterations);

/* Bytes that the run will write, in addition to existing files. */
typedef struct {
    int64_t trajectories;          /* remaining */
    int64_t configurations;        /* to be written */
    double configuration, checkpoint;    /* of one file */
    double checkpoints;            /* of all that exist at the same time */
    double record;                 /* lines of the trajectories, estimated */
    double total;
    double available;              /* in the file system of the output folder, for this user; NaN: unknown */
    text folder;                   /* the output folder, or the nearest existing folder above it (text_free) */
} plan_disk;
void plan_disk_make(plan_disk *d, const run_params *p);

#endif
