/* run_warnings.h - warnings about the record of a run: values that need attention. */
#ifndef KILN_REPORT_RUN_WARNINGS_H
#define KILN_REPORT_RUN_WARNINGS_H

#include "src/report/run_folder.h"
#include "src/report/run_summary.h"

/* Limits for a warning.  Medians and deviations use the trajectories after thermalization; deviations are computed from
 * the median absolute deviation as for a normal distribution. */
#define DH_DEVIATIONS 6            /* |dH - median| in units of the deviation, within a segment */
#define FORCE_FACTOR 4             /* largest force of a link over its median */
#define RESIDUAL_FACTOR 3          /* largest residual of a trajectory over its median */
#define ITERATIONS_FACTOR 1.3      /* ratio of means over the last and the first quarter of the averaged trajectories */
enum { REJECTIONS_IN_A_ROW = 5, DRIFT_LEAST = 20 };
#define ROW_CHANCE 0.05            /* largest expected number of rows of rejections, for the acceptance of the run */
#define LOW_ACCEPTANCE 0.5

/* In thermalization, where every trajectory is accepted: |dH| over the kinetic energy at the start of the trajectory.
 * This energy is 16 per site on average (32 momenta of variance 1), so the bound is about 1 per site.  A start far from
 * equilibrium does not explain a larger dH: a stable integrator conserves a Hamiltonian close to H, and dH is the
 * change of their difference.  Hot start, Wilson 5.7 on 4x4x4x8, Omelyan, unit length: at most 0.14 per site with 3
 * steps; 16 with a single step, in every trajectory. */
#define THERMALIZATION_DH (1. / 16)

typedef struct {
    const char *kind;              /* "dH", "force", "filter", ...: for programs */
    int64_t count;                 /* number of its trajectories (or lines, files, segments) */
    int64_t first, last;           /* trajectories; 0 for a warning about something else */
    text words;
} run_warning;

typedef struct { int count; run_warning *item; } run_warnings;

/* Whether dH of a thermalizing trajectory is far too large, or not finite.  False if `kinetic` is not finite. */
bool run_warnings_dh_is_absurd(double dh, double kinetic);

/* Append a warning, and return its text, which is still empty. */
text *run_warnings_add(run_warnings *w, run_warning item);

/* Append the warnings about the values in a record; begin with { 0 }.  `folder` may be NULL. */
void run_warnings_add_all(run_warnings *w, const run_history *h, const run_summary *s, const run_folder *folder);
void run_warnings_free(run_warnings *w);

#endif
