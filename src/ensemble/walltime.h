/* walltime.h - a time limit for a process, and when the run must stop to end in time.
 *
 * A run can stop between two steps of a trajectory, and between two trajectories: the stopping points.  It measures the
 * time from point to point, and the time to write a mid-trajectory checkpoint.  It stops at a point if it might not
 * reach the next one and write its files before the time limit. */
#ifndef KILN_ENSEMBLE_WALLTIME_H
#define KILN_ENSEMBLE_WALLTIME_H

#include "src/base/error.h"

/* BEGIN: from the files of a trajectory to the first stopping point in the next one; STEP: from point to point within a
 * trajectory; END: from its last point until its files are written. */
typedef enum { STRETCH_BEGIN, STRETCH_STEP, STRETCH_END, STRETCHES } walltime_stretch;

typedef struct {
    double end, margin;             /* on the clock of clock_now; seconds */
    double longest[STRETCHES];      /* of each kind so far, in seconds; 0: none yet */
    double writing;                 /* longest time to write a mid-trajectory checkpoint, in seconds */
    double since;                   /* when the present stretch began, on clock_now */
} walltime;

/* A limit of `seconds` from now on (INFINITY: none). */
walltime walltime_begin(double seconds);

void walltime_set_out(walltime *w);                             /* the first stretch begins now */
void walltime_passed(walltime *w, walltime_stretch what);       /* a stretch ends now, and the next one begins */
void walltime_wrote(walltime *w, double seconds);
bool walltime_allows(const walltime *w, walltime_stretch next);

/* "90m", "11.5h", "5400s", or as SLURM has it: minutes, minutes:seconds, hours:minutes:seconds, days-hours,
 * days-hours:minutes, days-hours:minutes:seconds. */
bool walltime_read(double *seconds, const char *words, failure *f);

/* The time that the batch system leaves to this process: SLURM_JOB_END_TIME (seconds of the epoch), else PBS_WALLTIME
 * (seconds, counted from now).  Returns the name of the variable, NULL without one.  Only here Kiln reads the time of
 * day. */
const char *walltime_of_scheduler(double *seconds);

#endif
