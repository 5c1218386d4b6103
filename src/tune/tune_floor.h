/* tune_floor.h - the part of dH that does not fall with the steps.
 *
 * Forces from solves with a finite residual are not exactly the derivative of the action.  They add to dH a part whose
 * variance hardly depends on the steps: the floor of <dH^2>.  The rest of dH beyond second order falls at least as the
 * fourth power of the longest step.  Trajectories are on the floor if all their steps are shorter than those of other
 * trajectories, but their rest is much larger than this power and statistical errors allow.  The floor is their mean
 * rest^2.  These trajectories do not count for the rest of other settings (tune_bounds.h). */
#ifndef KILN_TUNE_TUNE_FLOOR_H
#define KILN_TUNE_TUNE_FLOOR_H

#include "src/tune/tune_samples.h"

/* Find the floor of a model from its samples: sets `floor`, `floor_error` and `on_floor`. */
void tune_find_floor(tune_model *m);

#endif
