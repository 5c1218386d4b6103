/* run_phases.h - the timers of all lines of a record, summed: where the time of a run goes. */
#ifndef KILN_REPORT_RUN_PHASES_H
#define KILN_REPORT_RUN_PHASES_H

#include "src/report/run_history.h"

/* A timer with its children below it; roots have depth 0.  `share` is of the time of all roots. */
typedef struct { char *path; const char *name; int depth; double seconds, self, share; } phase;

/* In the order of a tree: parents, then their children, the longest first.  NULL and 0 without timers. */
phase *run_phases_make(const run_history *h, int *count);
void run_phases_free(phase *p, int count);

#endif
