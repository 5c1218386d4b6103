/* bench_multigrid.h - multigrid in studies of methods: its settings, and its curves. */
#ifndef KILN_CLI_BENCH_BENCH_MULTIGRID_H
#define KILN_CLI_BENCH_BENCH_MULTIGRID_H

#include "src/cli/bench/solver_bench.h"

/* Whether a lattice can have multigrid with the settings of the options: that of --lattice, if they make links.  False
 * with the reason. */
bool bench_multigrid_fits(const bench_solver_options *o, failure *f);

/* Adds the settings to the open object of the JSON and to the table of Wilson quarks.  False if multigrid is not
 * possible on the lattice with these settings; `why` and the table get the reason. */
bool bench_multigrid_begin(solver_bench *b, failure *why);

/* The curves against the mass: of solves, and of seconds also with the set-up, which is made once for the links.
 * iterations: in the unit of the picture. */
typedef struct { bench_curve solve, whole; } multigrid_curves;
multigrid_curves bench_multigrid_curves(solver_bench *b, int color);
void bench_multigrid_add_point(multigrid_curves *m, double mass, const study_solve *s, double iterations);

#endif
