/* midtrajectory.h - DIRECTORY/midtrajectory.000007.000123: a checkpoint within trajectory 7, before step 123 of its
 * dynamics.
 *
 *     midtrajectory.json    trajectory, step, energies at the start, memory, reports of the terms so far; a digest of
 *                           each file below, and of itself
 *     links.npy             links
 *     momenta.npy           momenta, eight reals a link (site/view.h)
 *     forces.npy            sizes of the forces so far: the exact sums and maxima (site/exact_sum.h), each word of 64
 *                           bits as two doubles
 *     TERM.FIELD.npy        pseudofermions
 *     TERM.kept0.npy        start vectors of solves, and the state of a solver (monomial_kind.start_vector_at)
 *
 * The rest of the trajectory depends only on this and on the state from which the trajectory began: a run that
 * continues here gets the same bits and the same record as one without interruption.  The folder is complete or
 * absent. */
#ifndef KILN_ENSEMBLE_MIDTRAJECTORY_H
#define KILN_ENSEMBLE_MIDTRAJECTORY_H

#include "src/hmc/hmc.h"

/* Number and input of the trajectory; the seconds that it has taken so far, and the joules of the GPUs (NaN: unknown;
 * the file then lacks them). */
typedef struct { int64_t trajectory; uint64_t input_digest; double seconds, joules; } midtrajectory_label;

/* Write a checkpoint of the present trajectory in `h` and `u`, with its timers, from a function of evolve_watch; then
 * remove older mid-trajectory checkpoints.  False with the reason, and then there is no new folder.  The caller holds
 * the lock, as for all functions below. */
bool midtrajectory_write(const run_params *p, const midtrajectory_label *label, hmc *h, const gauge *u,
                         const clock_tree *clock, failure *f);

/* Load the mid-trajectory checkpoint of trajectory label->trajectory into h, u, clock and label; hmc_go_on then
 * continues.  On entry u and the memory of h are those with which that trajectory began.  False if there is no valid
 * checkpoint, and then nothing has changed.  A checkpoint that is damaged, of another input or stream, or of another
 * trajectory is renamed with a warning. */
bool midtrajectory_resume(const run_params *p, midtrajectory_label *label, hmc *h, gauge *u, clock_tree *clock);

/* Remove the mid-trajectory checkpoints of trajectories up to `last`, and unfinished folders of killed processes.
 * Returns the number of checkpoints that it removed. */
int midtrajectory_forget(const char *directory, int64_t last);

#endif
