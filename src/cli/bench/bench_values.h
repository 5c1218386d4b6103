/* bench_values.h - values of the options of kiln bench solver, as option.read wants them (src/options/options.h). */
#ifndef KILN_CLI_BENCH_BENCH_VALUES_H
#define KILN_CLI_BENCH_BENCH_VALUES_H

#include "src/base/text.h"
#include "src/kernels/vector_args.h"

typedef struct { int count; double of[SHIFTS_MAX]; } number_list;

/* Into a number_list: numbers above 0; between 0 and 1; any (Wilson quarks have masses below 0); extents in t;
 * numbers of modes; hopping parameters. */
bool bench_read_numbers(const char *given, void *list, failure *f);
bool bench_read_factors(const char *given, void *list, failure *f);
bool bench_read_masses(const char *given, void *list, failure *f);
bool bench_read_kappas(const char *given, void *list, failure *f);
bool bench_read_extents_t(const char *given, void *list, failure *f);
bool bench_read_modes(const char *given, void *list, failure *f);

/* Into int[4]. */
bool bench_read_lattice(const char *given, void *value, failure *f);

/* Into an unsigned: bit n is set for the n-th stored_as (solvers/solver_choice.h). */
bool bench_read_precisions(const char *given, void *value, failure *f);
void bench_list_precisions(text *words);

#endif
