/* ensemble_inside.h - the struct ensemble, for the files that open and run it. */
#ifndef KILN_ENSEMBLE_ENSEMBLE_INSIDE_H
#define KILN_ENSEMBLE_ENSEMBLE_INSIDE_H

#include "src/comm/energy_meter.h"
#include "src/ensemble/ensemble_check.h"
#include "src/ensemble/ensemble_files.h"
#include "src/ensemble/ensemble_handle.h"
#include "src/ensemble/record.h"
#include "src/ensemble/run_limits.h"
#include "src/ensemble/segments.h"

struct ensemble {
    const run_params *params;
    const run_limits *limits;          /* of the sweeps over the start links; NULL: none */
    int signal;                        /* that a rank of any group has got during a trajectory; 0: none */
    uint64_t digest, parent;           /* of the input; links_digest of the configuration before */
    uint64_t digest_unknown;           /* input digest that is assumed for trajectories of no segment */
    segments segments;
    ensemble_past past;                /* as opening found it */
    chain_value chain;                 /* of the trajectory in the links */
    state_memory blank;                /* memory of the terms before any trajectory */
    bool begins_segment;               /* during ensemble_open_segment: the next trajectory begins a segment */
    text lost;                         /* line of the process before this one, if it was killed (ensemble_lock); ""
                                        * once this process has continued the run, or found nothing left to do */
    int lock;
    lattice *lattice;
    gauge *u;
    hmc *h;
    measurements *measurements;
    energy_meter energy;               /* of the GPUs */
    record *r;
    int64_t trajectory, written;       /* in the links; in the newest state on disk */
    record_cut cut;                    /* what opening found in the record */
    bool advanced;                     /* this run has written progress to disk */
    int64_t confirmed;                 /* the last trajectory that the SDC check confirmed; -1: no check */
    int64_t suspect;                   /* the trajectory of the last mismatch */
    void (*emit)(void *to, stream_point newest);     /* of states, or NULL */
    void *emit_to;
};

/* Open DIRECTORY/run.log, and write what the log of a run begins with: the input, the program and its machine, the end
 * of the process before. */
bool ensemble_open_log(const ensemble *e, failure *f);

/* Digest of the parameters that made a trajectory. */
uint64_t ensemble_digest_at(const ensemble *e, int64_t trajectory);

/* The state to continue from: its links_digest and the memory of the terms; the newest trajectory with a valid state
 * that the record does not cover (0: none).  Links and trajectory of the state are in the ensemble. */
typedef struct { bool valid; uint64_t links; state_memory memory; int64_t uncovered; } found_state;

/* Load the newest valid state that the record covers; found->valid is false where there is none.  False with the reason
 * where a file is in the way that only a person may move; then no file is touched. */
bool ensemble_find_state(ensemble *e, found_state *found, failure *f);

/* Begin the chain if the next trajectory is the first one of the first segment and the chain has not begun yet. */
void ensemble_begin_chain(ensemble *e);

/* Write the state after e->trajectory, with the given links and memory (_now: the present ones).  If the file exists,
 * it is compared with this state instead: a run that continued from an older state generates trajectories again. */
bool ensemble_write_state(ensemble *e, state_file_kind kind, const gauge *u, const state_memory *memory, failure *f);
bool ensemble_write_state_now(ensemble *e, state_file_kind kind, failure *f);

/* Call e->emit: the newest state is the one after e->trajectory, or at this step of the next one (-1: none). */
void ensemble_emit_state(const ensemble *e, int64_t step);

/* Return to the newest confirmed state and cut the record there; rename later states to NAME.lime.corrupt. */
bool ensemble_roll_back(ensemble *e, failure *f);

#endif
