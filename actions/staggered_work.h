/* staggered_work.h - what a force of staggered quarks costs. */
#ifndef KILN_ACTIONS_STAGGERED_WORK_H
#define KILN_ACTIONS_STAGGERED_WORK_H

#include "actions/monomial.h"

/* Without the iterations of its solves, which nobody knows before. */
work staggered_force_work(const void *params, const int extents[4]);

#endif
