/* solver_kinds.h - the table of methods (solver_kind.h).
 *
 *     cg                               conjugate gradients with C^+C, one shift or many                cg_solver.c
 *     bicgstab, bicgstab2, bicgstab4   BiCGstab(l) with C, l = 1, 2, 4                                 bicg_solver.c
 *     multigrid                        GCR with C and multigrid, for clover quarks             multigrid_solver.c
 *
 * Precisions (solver_choice.h) are separate: all rows solve in double and in mixed precision.  A new method is a file
 * with a constant solver_kind, and a row. */
#ifndef KILN_SOLVERS_SOLVER_KINDS_H
#define KILN_SOLVERS_SOLVER_KINDS_H

#include "src/solvers/solver_kind.h"

/* Index, name in the input, kind. */
#define SOLVER_KIND_ROWS(ROW)                                                                                          \
    ROW(SOLVER_CG, "cg", cg_solver)                                                                                    \
    ROW(SOLVER_BICGSTAB, "bicgstab", bicgstab_solver)                                                                  \
    ROW(SOLVER_BICGSTAB2, "bicgstab2", bicgstab2_solver)                                                               \
    ROW(SOLVER_BICGSTAB4, "bicgstab4", bicgstab4_solver)                                                               \
    ROW(SOLVER_MULTIGRID, "multigrid", multigrid_solver)

#define SOLVER_KIND_INDEX(index, name, kind) index,
#define SOLVER_KIND_DECLARATION(index, name, kind) extern const solver_kind kind;

typedef enum { SOLVER_KIND_ROWS(SOLVER_KIND_INDEX) SOLVER_KINDS } solver_kind_index;
SOLVER_KIND_ROWS(SOLVER_KIND_DECLARATION)

extern const solver_kind *const solver_kinds[SOLVER_KINDS];
extern const char *const solver_kind_names[];            /* in the same order, then NULL */

#endif
