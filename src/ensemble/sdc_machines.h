/* sdc_machines.h - the machines whose results differ: ranks, hosts and devices. */
#ifndef KILN_ENSEMBLE_SDC_MACHINES_H
#define KILN_ENSEMBLE_SDC_MACHINES_H

#include "src/lattice/field.h"

/* "CPU, host X"; with several ranks "rank 2: CPU, host X".  Host and device of the first of them. */
typedef struct { char where[512], host[128], device[320]; } sdc_machines;

/* Collective: `mine` says whether the numbers of this rank differ.  Where no rank's do, as in an action, which is one
 * sum for all, any rank may be the cause: the first is named, and how many there are. */
sdc_machines sdc_machines_find(bool mine, place where);

/* The numbers of two fields of one kind that differ: of the whole lattice, and of this rank.  Collective. */
typedef struct { size_t all, mine; } sdc_differences;
sdc_differences sdc_count_differences(const field *a, const field *b);

#endif
