/* bench_studies.h - the studies of kiln bench solver, and their links. */
#ifndef KILN_CLI_BENCH_BENCH_STUDIES_H
#define KILN_CLI_BENCH_BENCH_STUDIES_H

#include "src/cli/bench/solver_bench.h"

/* False after a message if there is no result. */
typedef bool solver_bench_fn(solver_bench *b);
solver_bench_fn bench_history, bench_multishift, bench_masses, bench_formats, bench_methods, bench_sizes;

/* The links of the options, in double precision on SU(3), with JSON and a sentence about them.  NULL after a message.
 * Close them with configuration_close. */
gauge *bench_field(const bench_solver_options *o, place where, json *j, text *story);

#endif
