/* sdc_machines.h - the machines whose results differ: ranks, hosts and devices. */
#ifndef KILN_ENSEMBLE_SDC_MACHINES_H
#define KILN_ENSEMBLE_SDC_MACHINES_H

#include "src/lattice/field.h"

/* "CPU, host X"; with several ranks "rank 2: CPU, host X".  Host and device of the first of them. */
typedef struct { char where[512], host[128], device[320]; } sdc_machines;

/* The machines to suspect.  mine: whether numbers of this rank differ.  If those of no rank differ (an action is one
 * sum over all ranks), any rank may be the cause: the text names the first one and the number of ranks.  Collective. */
sdc_machines sdc_machines_find(bool mine, place where);

/* The numbers of two fields of one kind that differ: of the whole lattice, and of this rank.  Collective. */
typedef struct { size_t all, mine; } sdc_differences;
sdc_differences sdc_count_differences(const field *a, const field *b);

#endif
