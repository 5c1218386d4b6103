/* staggered_work.h - what staggered quarks cost: memory and work. */
#ifndef KILN_ACTIONS_STAGGERED_WORK_H
#define KILN_ACTIONS_STAGGERED_WORK_H

#include "actions/monomial.h"
#include "actions/staggered_params.h"
#include "actions/staggered_solver.h"

staggered_solver_size staggered_solver_size_of(const staggered_plan *plan, const rational_set *sets,
                                               const staggered_params *p, const lattice_shape *shape);

/* Device memory that the monomial takes; its parts and the pseudofermions in words. */
size_t staggered_bytes(const void *params, const lattice_shape *shape);
void staggered_describe(text *lines, const void *params, const lattice_shape *shape);

/* monomial_kind.energy_errors; of functions from a file it is not known how well they fit. */
void staggered_energy_errors(energy_errors *e, const void *params, const lattice_shape *shape);

/* Without the iterations of its solves, which nobody knows before. */
work staggered_force_work(const void *params, const lattice_shape *shape);
work staggered_iteration_work(const void *params, const lattice_shape *shape);

#endif
