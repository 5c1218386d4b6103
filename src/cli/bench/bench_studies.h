/* bench_studies.h - the studies of kiln bench solver, and the links that they are made on. */
#ifndef KILN_CLI_BENCH_BENCH_STUDIES_H
#define KILN_CLI_BENCH_BENCH_STUDIES_H

#include "src/cli/bench/solver_bench.h"

/* False after a message about why there is nothing to report. */
typedef bool solver_bench_fn(solver_bench *b);
solver_bench_fn bench_history, bench_multishift, bench_masses, bench_formats;

/* The links that the options name, in double precision on SU(3); JSON and a sentence about them.  NULL after a
 * message.  To be closed with configuration_close. */
gauge *bench_field(const bench_solver_options *o, place where, json *j, text *story);

#endif
