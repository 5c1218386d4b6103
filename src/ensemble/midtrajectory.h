/* midtrajectory.h - DIRECTORY/midtrajectory.000007.000123: trajectory 7 under way, step 123 of its dynamics being the
 * next.
 *
 *     midtrajectory.json           trajectory, step, energies at the start, memory, what the terms have to report so
 *     far; a
 *                           digest of each file below, and of itself
 *     links.npy             as they are
 *     momenta.npy           eight reals a link (site/view.h)
 *     forces.npy            sizes of the forces so far: the cells of exact sums, in halves of their words
 *     TERM.FIELD.npy        pseudofermions
 *     TERM.kept0.npy        start vectors of solves
 *
 * With the state that the trajectory began from this is all that the rest of it depends on: whoever goes on from here
 * gets the same bits and the same record as one who was not disturbed.  The folder is complete or absent. */
#ifndef KILN_ENSEMBLE_MIDTRAJECTORY_H
#define KILN_ENSEMBLE_MIDTRAJECTORY_H

#include "src/hmc/hmc.h"

/* Which trajectory of which input; the seconds that it has taken. */
typedef struct { int64_t trajectory; uint64_t input_digest; double seconds; } midtrajectory_label;

/* Keep the trajectory under way in `h` and `u` while it is watched (evolve_watch), with its timers; then remove the
 * mid-trajectory checkpoints before it.  False with the reason, and then there is no new folder.  The lock is held, as
 * for all below. */
bool midtrajectory_write(const run_params *p, const midtrajectory_label *label, hmc *h, const gauge *u,
                         const clock_tree *clock,
                  failure *f);

/* Whether there is a mid-trajectory checkpoint of trajectory label->trajectory, which is to begin with the links `u`
 * and the memory of `h`; then they are put there (hmc_go_on), and so are timers and label->seconds.  A checkpoint that
 * is damaged, of another input or stream, or of a trajectory that does not follow is set aside, which is said; then all
 * is as it was. */
bool midtrajectory_resume(const run_params *p, midtrajectory_label *label, hmc *h, gauge *u, clock_tree *clock);

/* Remove the mid-trajectory checkpoints of trajectories up to `last`, which are counted, and what a process that was
 * killed has left half written. */
int midtrajectory_forget(const char *directory, int64_t last);

#endif
