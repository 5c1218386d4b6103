/* run_warnings.h - what in the record of a run a person should look at. */
#ifndef KILN_REPORT_RUN_WARNINGS_H
#define KILN_REPORT_RUN_WARNINGS_H

#include "src/report/run_folder.h"
#include "src/report/run_summary.h"

/* When it speaks; medians and deviations (from the median absolute one, as if normal) are of trajectories behind the
 * thermalization. */
#define DH_DEVIATIONS 6            /* dH further than this from its median, of its segment */
#define FORCE_FACTOR 4             /* largest force of a link, times the median */
#define RESIDUAL_FACTOR 3          /* largest residual of a trajectory, times the median */
#define ITERATIONS_FACTOR 1.3      /* mean of the last quarter of the means' trajectories over that of the first */
enum { REJECTIONS_IN_A_ROW = 5, DRIFT_LEAST = 20 };
#define ROW_CHANCE 0.05            /* how probable such a row may be at the run's acceptance */
#define LOW_ACCEPTANCE 0.5

/* In thermalization, where all is accepted: |dH| over the kinetic energy at the start of the trajectory.  That energy
 * is 16 for each site on average (32 momenta of variance 1), so that the bound is about one for each site.  A start far
 * from equilibrium does not explain more: an integrator whose steps are stable conserves a Hamiltonian close to H, and
 * dH is the change of their difference.  Hot start, Wilson 5.7 on 4x4x4x8, Omelyan, unit length: at most 0.14 for each
 * site with 3 steps; 16 with a single step, in every trajectory. */
#define THERMALIZATION_DH (1. / 16)

typedef struct {
    const char *kind;              /* "dH", "force", "filter", ...: a word for programs */
    int64_t count;                 /* trajectories (or lines, or files) that it is about */
    int64_t first, last;           /* trajectories; 0 where it is about none */
    text words;
} run_warning;

typedef struct { int count; run_warning *item; } run_warnings;

/* Whether dH of a trajectory of the thermalization is far too large, or no number.  False where `kinetic` is none. */
bool thermalization_dh_is_absurd(double dh, double kinetic);

/* `folder` may be NULL. */
void run_warnings_make(run_warnings *w, const run_history *h, const run_summary *s, const run_folder *folder);
void run_warnings_free(run_warnings *w);

#endif
