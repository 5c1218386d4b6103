/* defect_means.h - plaquettes near the defect of parallel tempering: means of runs, and whether two runs agree. */
#ifndef KILN_TESTS_HMC_DEFECT_MEANS_H
#define KILN_TESTS_HMC_DEFECT_MEANS_H

#include "actions/gauge_action.h"
#include "src/gauge/defect.h"

/* A gauge action with the factor c at the box, from a monomial without a run. */
double defect_action(const gauge_params *p, const gauge *u, const defect_box *box, double c);

/* Means of the deficits beta Re Tr (1 - P) / 3: of plaquettes with a link of the defect; of those with a link of the
 * rest of a larger cube in this slice, of side `around`; of all others.  Of each block of trajectories, for the error.
 */
enum { DEFECT_RINGS = 3, DEFECT_BLOCKS = 20 };
typedef struct { double beta; int around; } defect_scale;
typedef struct { double ring[DEFECT_RINGS][DEFECT_BLOCKS]; } defect_means;

/* Add the links times `share` to a block. */
void defect_means_add(defect_means *m, defect_scale s, int block, const gauge *u, const defect_box *box, double share);
void defect_means_estimate(double *mean, double *error, const double block[DEFECT_BLOCKS]);

/* A fact for each ring: the means are the same within 4.5 standard errors. */
void defect_means_same(const defect_means *a, const defect_means *b, const char *sentence);

#endif
