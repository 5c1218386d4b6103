/* run_warnings.h - what in the record of a run a person should look at. */
#ifndef KILN_CLI_RUN_WARNINGS_H
#define KILN_CLI_RUN_WARNINGS_H

#include "src/cli/run_folder.h"
#include "src/cli/run_summary.h"

/* When it speaks; medians and deviations (from the median absolute one, as if normal) are of trajectories behind the
 * warm-up. */
#define DH_DEVIATIONS 6            /* dH further than this from its median, of its stratum */
#define FORCE_FACTOR 4             /* largest force of a link, times the median */
#define RESIDUAL_FACTOR 3          /* largest residual of a trajectory, times the median */
#define ITERATIONS_FACTOR 1.3      /* mean of the last quarter of the means' trajectories over that of the first */
enum { REJECTIONS_IN_A_ROW = 5, DRIFT_LEAST = 20 };
#define ROW_CHANCE 0.05            /* how probable such a row may be at the run's acceptance */
#define LOW_ACCEPTANCE 0.5


typedef struct {
    const char *kind;              /* "dH", "force", "filter", ...: a word for programs */
    int64_t count;                 /* trajectories (or lines, or files) that it is about */
    int64_t first, last;           /* trajectories; 0 where it is about none */
    text words;
} run_warning;

typedef struct { int count; run_warning *item; } run_warnings;

/* `folder` may be NULL. */
void run_warnings_make(run_warnings *w, const run_history *h, const run_summary *s, const run_folder *folder);
void run_warnings_free(run_warnings *w);

#endif
