/* run_restarts.h - start a run again whose process was killed.
 *
 *     kiln run INPUT.yaml --ranks 4 --replica-groups 4      with groups of ranks --restarts 3 is the default
 *
 * The command becomes a parent, which computes nothing, and a child, which is the run.  If a signal kills the child (a
 * fault, the system for lack of memory, a person), the parent starts another child.  It continues from the newest state
 * on disk, as the same command would, and repeats what followed: random numbers belong to trajectories, so that all
 * results have the bits of an uninterrupted run.
 *
 * No child is started again after `limit` restarts in a row without a new state; nor, if the signal is that of a fault
 * of the program (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT), after `limit` such faults, with new states or without.
 * A child that exits, with any status, ends the run: a solve that failed, or a bad input, would fail again. */
#ifndef KILN_CLI_RUN_RESTARTS_H
#define KILN_CLI_RUN_RESTARTS_H

#include "src/ensemble/ensemble.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* The state of all restarts, in memory that parent and children share. */
typedef struct {
    int limit;
    int number;                        /* of restarts so far */
    int in_a_row;                      /* children killed without a new state: the last ones */
    int faults;                        /* children that a fault of the program ended */
    int signal;                        /* what killed the last one; 0: none */
    bool json;                         /* when it gives up, the parent prints how the run ended (run_end.h) */
    char whose[40];                    /* the process, in messages: "all 3 groups of ranks" */
    /* Written by rank 0 of the run: */
    char directory[PATH_MAX];          /* of the ensemble; "": not known yet */
    bool opened;                       /* a child has opened the ensemble */
    int64_t until;                     /* the last trajectory that the command asks for; -1: not known yet */
    int64_t repeats;                   /* complete trajectories that the present child lost when it opened it */
    bool logged;                       /* the present child has logged from where it continues */
    stream_point first, newest;        /* where the first child began; the newest state; a trajectory of -1: none yet */
    bool advanced;                     /* a state is newer than `first` */
} run_restarts;

/* For a run in `groups` groups of ranks (0: not divided).  Ends with the process. */
run_restarts *run_restarts_create(int limit, int groups, bool as_json);

/* With a limit above 0, divide the process, which must have no threads yet.  False in a child, and without a limit: go
 * on with the run.  True in the parent when the run has ended, with its exit status.
 *
 * The parent forwards the signals that stop a command (stop_signals.h); after one of them no child is started again.
 * A child ends with the parent. */
bool run_restarts_watch(run_restarts *r, int *status);

/* For rank 0 of a child: the folder, before the ensemble is opened. */
void run_restarts_set_directory(run_restarts *r, const char *directory);

/* For rank 0 of a child: the ensemble is open.  From now on its states are noted in `r`; with the first one of a child
 * after others a warning logs why the run was started again, from where, and which trajectories it repeats. */
void run_restarts_set_open(run_restarts *r, ensemble *e, int64_t until);

/* ", at step 12 of trajectory 7" if the newest state is a mid-trajectory checkpoint; else "". */
text run_restarts_step_words(const run_restarts *r);

#endif
