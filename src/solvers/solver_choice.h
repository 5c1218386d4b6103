/* solver_choice.h - the precisions of solves, and which of them `solver: adaptive` selects.
 *
 * A name lists precisions: double alone; or double for residuals and solutions, then the precision of the common Krylov
 * space of many shifts, then the precision of separate solves (src/solvers/cg_mixed.h).  All of them reach the same
 * true residuals.
 *
 * `adaptive` is a row of a constant table, chosen for each role (refresh, action, force) of a monomial.  The row is a
 * pure function of the global lattice and the residual.  Action and force use double instead in trajectories whose
 * refresh took few iterations (solver_least_iterations): in such short solves, set-up and refinement of mixed precision
 * cost more than it gains.  Results therefore depend only on the input, the seed and the version of the program, not on
 * the device, on timings or on the division of the lattice. */
#ifndef KILN_SOLVERS_SOLVER_CHOICE_H
#define KILN_SOLVERS_SOLVER_CHOICE_H

#include "src/lattice/vec.h"

/* In the order of solver_names. */
typedef enum {
    SOLVER_DOUBLE,
    SOLVER_DOUBLE_SINGLE,
    SOLVER_DOUBLE_SINGLE_HALF,
    SOLVER_DOUBLE_SINGLE_INT20,
    SOLVER_DOUBLE_INT30_INT20,
    SOLVER_DOUBLE_INT20,
    SOLVER_DOUBLE_HALF,
    SOLVER_ADAPTIVE                  /* also the number of precisions */
} solver_precision;
extern const char *const solver_names[];        /* "double", ..., "adaptive", NULL */

/* The storages of vectors and links, and the two that a solver_precision uses: for the common Krylov space of many
 * shifts (inner), and for separate solves (refine).  Residuals and solutions are always in double. */
typedef enum { STORED_DOUBLE, STORED_SINGLE, STORED_INT30, STORED_INT20, STORED_HALF, SOLVER_STORAGES } stored_as;
extern const vec_storage solver_storages[SOLVER_STORAGES];
extern const char *const stored_names[SOLVER_STORAGES];
typedef struct { stored_as inner, refine; } solver_stores;
extern const solver_stores solver_precisions[SOLVER_ADAPTIVE];

/* The choice depends on the sites of the whole lattice (domain-wall quarks: times Ls) and on the smallest requested
 * residual. */
typedef struct { double sites, residual; } solver_request;

/* A row applies to lattices of at least `sites` and residuals of at least `residual`.  The first row that applies is
 * used; the last row of a table always applies. */
typedef struct { double sites, residual; solver_precision precision; } solver_row;
/* least_work: iterations times sites of a refresh, below which double is faster for action and force; 0: use the row
 * always. */
typedef struct { int count; const solver_row *row; double least_work; } solver_table;
extern const solver_table staggered_solver_table, staggered_refresh_table, dwf_solver_table, dwf_shifted_solver_table;

/* `given` itself; for SOLVER_ADAPTIVE the precisions from the table. */
solver_precision solver_choose(solver_precision given, const solver_table *table, solver_request request);

/* With SOLVER_ADAPTIVE, action and force use double if the refresh of the trajectory takes fewer iterations than this;
 * 0 on large lattices, which never use double. */
double solver_least_iterations(solver_precision given, const solver_table *table, double sites);

double solver_sites(const lattice_shape *shape);

/* The same for domain-wall quarks with Ls slices; `shifted`: for systems with many shifts (rational functions). */
solver_precision dwf_solver_choose(solver_precision given, bool shifted, const lattice_shape *shape, int Ls,
                                   double residual);

#endif
