/* ensemble_inside.h - what opening an ensemble and running it share. */
#ifndef KILN_ENSEMBLE_ENSEMBLE_INSIDE_H
#define KILN_ENSEMBLE_ENSEMBLE_INSIDE_H

#include "src/ensemble/ensemble_check.h"
#include "src/ensemble/ensemble_files.h"
#include "src/ensemble/record.h"
#include "src/ensemble/segments.h"

typedef struct ensemble ensemble;
struct ensemble {
    const run_params *params;
    uint64_t digest, parent;           /* of the input; links_digest of the configuration before */
    uint64_t digest_unknown;           /* of the parameters that made trajectories where there are no segments */
    segments segments;
    ensemble_past past;                /* as it was found */
    chain_value chain;                 /* of the trajectory in the links */
    state_memory blank;                /* of terms that remember nothing */
    int lock;
    lattice *lattice;
    gauge *u;
    hmc *h;
    measurements *measurements;
    record *r;
    int64_t trajectory, written;       /* in the links; in the newest state on disk */
    bool advanced;                     /* there is more on disk than when it was opened */
    int64_t confirmed;                 /* the last trajectory whose states the SDC check confirmed; -1: none is made */
    int64_t suspect;                   /* the trajectory of the last mismatch */
};

/* Digest of the parameters that made a trajectory. */
uint64_t ensemble_digest_at(const ensemble *e, int64_t trajectory);

/* The state that was found, as far as more must be known than what it puts in its place: its links_digest, what the
 * terms remembered; and the trajectory of the newest valid state that the record does not cover (0: none). */
typedef struct { bool valid; uint64_t links; state_memory memory; int64_t uncovered; } found_state;

/* Continue from the newest valid state that the record covers; found->valid tells whether there is one.  False with the
 * reason if a file is in the way that must not be touched; then none is. */
bool ensemble_find_state(ensemble *e, found_state *found, failure *f);

/* The chain begins with the first segment, unless the state that the run continues from has it already. */
void ensemble_begin_chain(ensemble *e);

/* Write the state after e->trajectory, whose links and memory are given or those of now, unless it is there.  A
 * configuration of 32 bits can be: it is no state to continue from, and the run has come by once more. */
bool ensemble_write_state(ensemble *e, state_file_kind kind, const gauge *u, const state_memory *memory, failure *f);
bool ensemble_write_state_now(ensemble *e, state_file_kind kind, failure *f);

/* Stand where the newest confirmed state does, with its record: those after it are set aside. */
bool ensemble_roll_back(ensemble *e, failure *f);

#endif
