/* bench_iterations.h - times iterations of conjugate gradients as a solver runs them: a loop that the GPU repeats. */
#ifndef KILN_BENCH_BENCH_ITERATIONS_H
#define KILN_BENCH_BENCH_ITERATIONS_H

#include "src/bench/bench.h"
#include "src/solvers/krylov.h"

/* Systems (A + shift) x = r that are iterated together; v[n]: the vectors of system n, all with a ring; r is set. */
typedef struct { const linop *a; double shift; const krylov_vectors *v; int count; } iterated_systems;

/* How they are repeated (lattice/loop.h). */
typedef struct { loop_way way; persistent_fn *kernel; } iteration_way;

/* Collective.  The time of one iteration of all systems.  Each timed run has w->repeats rings of iterations, at most
 * 16.  No time (0) if the way is LOOP_PERSISTENT and there is no persistent kernel. */
bench_time bench_iterations(const bench_request *w, const lattice *l, const iterated_systems *s, iteration_way how);

#endif
