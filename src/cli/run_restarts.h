/* run_restarts.h - start a run again whose process was killed.
 *
 *     kiln run INPUT.yaml --ranks 4 --replica-groups 4      with groups of ranks --restarts 3 is the default
 *
 * The command becomes a parent, which computes nothing, and a child, which is the run.  If a signal kills the child (a
 * fault, the system for lack of memory, a person), the parent starts another child.  It continues from the newest state
 * on disk, as the same command would, and repeats what followed: random numbers belong to trajectories, so that all
 * results have the bits of a run that nothing disturbed.
 *
 * A child that exits, with any status, ends the run: a solve that failed, or a bad input, would fail again. */
#ifndef KILN_CLI_RUN_RESTARTS_H
#define KILN_CLI_RUN_RESTARTS_H

#include <stdbool.h>
#include <stdint.h>

/* After this trajectory (-1: not known yet), or at this step of the next one, in a mid-trajectory checkpoint (-1:
 * none). */
typedef struct { int64_t trajectory, step; } restart_point;

/* What a child knows of those before it, in memory that parent and children share. */
typedef struct {
    int number, limit;                 /* children before this one; the most in a row that may begin without progress */
    int in_a_row;                      /* so many of them, the last ones, were killed without a new state */
    int signal;                        /* what killed the last one; 0: none */
    bool opened;                       /* one of them has opened the ensemble */
    char whose[40];                    /* the process, in messages: "all 3 groups of ranks" */
    /* Written by rank 0 of the run when the ensemble is open: */
    restart_point from;                /* where it continues */
    int64_t until;                     /* the last trajectory that the command asks for; -1: not known yet */
} run_restarts;

/* For a run in `groups` groups of ranks (0: not divided) and `limit` restarts without progress in between.  Ends with
 * the process. */
run_restarts *run_restarts_create(int limit, int groups);

/* With a limit above 0, divide the process, which must have no threads yet.  False in a child, and without a limit: go
 * on with the run.  True in the parent when the run has ended, with its exit status.
 *
 * The parent forwards the signals that stop a command (stop_signals.h); after one of them no child is started again.
 * A child ends with the parent. */
bool run_restarts_watch(run_restarts *r, int *status);

/* In a child after others: log why the run was started again, where it continues, and that it repeats `complete`
 * trajectories, and the one that was not complete. */
void run_restarts_log(const run_restarts *r, restart_point from, int64_t complete);

#endif
