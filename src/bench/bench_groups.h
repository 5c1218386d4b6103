/* bench_groups.h - kernels timed group by group. */
#ifndef KILN_BENCH_BENCH_GROUPS_H
#define KILN_BENCH_BENCH_GROUPS_H

#include "src/bench/bench.h"
#include "src/gauge/gauge.h"

/* Sweeps over the links `u`, which they change. */
void bench_updates(const bench_request *w, gauge *u, bench_table *t);

/* The kernels of staggered quarks (bench_staggered.c). */
void bench_staggered(const bench_request *w, lattice *l, precision p, bench_table *t);

/* Batches of systems in native precision and other formats with arithmetic in precision p (bench_batches.c). */
void bench_batches(const bench_request *w, lattice *l, precision p, bench_table *t);

/* Domain-wall quarks in native precision and other formats with arithmetic in precision p (bench_dwf.c). */
void bench_dwf(const bench_request *w, lattice *l, precision p, bench_table *t);

/* Wilson, clover and twisted quarks in native precision and other formats with arithmetic in precision p
 * (bench_wilson.c). */
void bench_wilson(const bench_request *w, lattice *l, precision p, bench_table *t);

/* A level of stout smearing, and its chain rule (bench_stout.c). */
void bench_stout(const bench_request *w, lattice *l, precision p, bench_table *t);

#endif
