/* dirac_method.h - common parts of the solves of a Dirac operator: its system in every storage, and the method with its
 * state. */
#ifndef KILN_SOLVERS_DIRAC_METHOD_H
#define KILN_SOLVERS_DIRAC_METHOD_H

#include "src/solvers/dirac_vectors.h"
#include "src/solvers/residual_norm.h"

/* The matrix of a system: C^+C, C or C^+. */
typedef enum { SYSTEM_OF_NORMAL, SYSTEM_OF_C, SYSTEM_OF_DAGGER } dirac_system;

/* C^+C, C or C^+ in a storage; valid until the next call for this storage. */
const linop *dirac_system_in(dirac_solver *w, dirac_system of, stored_as in, const dirac_matrix *m);

/* The system in all storages that s and its preconditioner need to solve in this precision. */
solver_operator dirac_system_for(dirac_solver *w, const linear_solver *s, dirac_system of, const dirac_matrix *m,
                                 solver_precision in);

/* The engine and a vector of w->cg for residual_norm_reach_uniform; borrowed, free between two solves. */
residual_space dirac_residual_space(dirac_solver *w);

/* Solves the tasks by s, which is w->cg or w->method, in the norm of the goal.  First updates the state of the method
 * if the links have changed. */
void dirac_solve_by(dirac_solver *w, linear_solver *s, dirac_system of, const dirac_matrix *m, dirac_task *task,
                    int tasks, const dirac_goal *goal);

#endif
