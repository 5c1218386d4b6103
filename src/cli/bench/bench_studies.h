/* bench_studies.h - the studies of kiln bench solver, and their links. */
#ifndef KILN_CLI_BENCH_BENCH_STUDIES_H
#define KILN_CLI_BENCH_BENCH_STUDIES_H

#include "src/cli/bench/solver_bench.h"

typedef enum { HISTORY, MULTISHIFT, MASSES, FORMATS, METHODS, SIZES, SPEEDS, SIGN, MEMORY, STUDIES } bench_study;
extern const char *const bench_study_names[STUDIES + 1];      /* NULL at the end */

/* Append the studies that use an option, "masses, methods" or "all but sizes"; false: all do. */
bool bench_option_studies(text *studies, const char *name);

/* Check the options of a study: false with the reason for an option that this study or this source of links does not
 * have.  --kappas become --masses.  bench_options_fill sets the defaults of options that were not given. */
bool bench_options_fit(bench_solver_options *o, bench_study study, failure *f);
void bench_options_fill(bench_solver_options *o, bench_study study);

/* False after a message if there is no result. */
typedef bool solver_bench_fn(solver_bench *b);
solver_bench_fn bench_history, bench_multishift, bench_masses, bench_formats, bench_methods, bench_sizes,
                bench_speeds, bench_sign, bench_memory;

/* The links of the options, in double precision on SU(3), with JSON and a sentence about them.  NULL after a message.
 * Close them with configuration_close. */
gauge *bench_field(const bench_solver_options *o, place where, json *j, text *story);

#endif
