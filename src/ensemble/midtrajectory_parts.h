/* midtrajectory_parts.h - arrays, digests and names of a mid-trajectory checkpoint, for writing and reading it. */
#ifndef KILN_ENSEMBLE_MIDTRAJECTORY_PARTS_H
#define KILN_ENSEMBLE_MIDTRAJECTORY_PARTS_H

#include "src/ensemble/digested_array.h"
#include "src/hmc/hmc.h"

#define MIDTRAJECTORY "midtrajectory."
#define MIDTRAJECTORY_FACTS "midtrajectory.json"

uint64_t midtrajectory_digest_of_links(const gauge *u);
uint64_t midtrajectory_digest_of_schedule(const run_params *p);

/* The array forces.npy: the exact sums and maxima of the sizes of the forces so far (cells of site/exact_sum.h).
 * midtrajectory_cells returns it (memory_free).  midtrajectory_put_cells restores the sizes, and makes `step` the next
 * step; false if the dynamics cannot be interrupted before that step. */
array_shape midtrajectory_shape_of_cells(const hmc *h);
double *midtrajectory_cells(const hmc *h);
bool midtrajectory_put_cells(const hmc *h, int64_t step, const double *numbers);

/* "midtrajectory.000007.000123"; whether an entry of a folder has such a name. */
typedef struct { int64_t trajectory, step; char path[1024]; } midtrajectory_name;
text midtrajectory_name_of(int64_t trajectory, int64_t step);
bool midtrajectory_is_name(midtrajectory_name *found, const char *directory, const char *entry);

#endif
