/* run_phases.h - the timers of a run, summed over all lines of its record. */
#ifndef KILN_REPORT_RUN_PHASES_H
#define KILN_REPORT_RUN_PHASES_H

#include "src/report/run_history.h"

/* A timer; its children have a larger depth, roots have depth 0.  share: part of the time of all roots. */
typedef struct { char *path; const char *name; int depth; double seconds, self, share; } phase;

/* In the order of a tree: parents, then their children, the longest first.  NULL and 0 without timers. */
phase *run_phases_make(const run_history *h, int *count);
void run_phases_free(phase *p, int count);

#endif
