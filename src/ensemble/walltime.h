/* walltime.h - how long a process may take, and when it has to stop in order to end in time.
 *
 * A run comes by points where it can be left: between steps of a trajectory, between trajectories.  How long the
 * stretch to the next one may take, and what it takes to write a mid-trajectory checkpoint, is learned as it goes.  The
 * run stops at a point from which the next one, and the files after it, may not be reached before the end. */
#ifndef KILN_ENSEMBLE_WALLTIME_H
#define KILN_ENSEMBLE_WALLTIME_H

#include "src/base/error.h"

/* From the files of a trajectory to the first point within the next one; from point to point; from the last point of a
 * trajectory to its files being written. */
typedef enum { STRETCH_BEGIN, STRETCH_STEP, STRETCH_END, STRETCHES } walltime_stretch;

typedef struct {
    double end, margin;             /* on the clock of clock_now; seconds */
    double longest[STRETCHES], writing;         /* seconds so far; 0: none yet */
    double since;                   /* the point before, on that clock */
} walltime;

/* From now on, so many seconds (INFINITY: without end). */
walltime walltime_begin(double seconds);

void walltime_set_out(walltime *w);                             /* the first stretch begins now */
void walltime_passed(walltime *w, walltime_stretch what);       /* a stretch ends now, and the next one begins */
void walltime_wrote(walltime *w, double seconds);
bool walltime_allows(const walltime *w, walltime_stretch next);

/* "90m", "11.5h", "5400s", or as SLURM has it: minutes, minutes:seconds, hours:minutes:seconds, days-hours,
 * days-hours:minutes, days-hours:minutes:seconds. */
bool walltime_read(double *seconds, const char *words, failure *f);

/* What the batch system leaves to this process: SLURM_JOB_END_TIME (seconds of the epoch), else PBS_WALLTIME (seconds,
 * counted from now).  NULL if none tells, else the name of the variable.  The only look at the time of day. */
const char *walltime_of_scheduler(double *seconds);

#endif
