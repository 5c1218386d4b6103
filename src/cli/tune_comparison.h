/* tune_comparison.h - the options of kiln tune; kiln tune --lengths and --against. */
#ifndef KILN_CLI_TUNE_COMPARISON_H
#define KILN_CLI_TUNE_COMPARISON_H

#include "src/hmc/run_input.h"
#include "src/options/device_choice.h"
#include "src/options/rank_options.h"

#include <signal.h>

enum { TUNE_COST_SECONDS, TUNE_COST_WORK };
extern const char *const tune_cost_names[];          /* "seconds", "work", NULL */

typedef struct {
    device_choice device;
    text_refs sets;
    rank_options ranks;
    const char *from, *output, *directory, *checkpoint, *lengths, *against, *streams, *observables;
    double target, minutes, units;
    int64_t thermalization, learn, prove;
    int cost;
    bool keep_lambda, keep_masses, keep_solver, keep_integrator, residuals, json, quiet;
} tune_options;

/* Thermalizing trajectories for links that are not thermalized: --thermalization, else that of the input, at least
 * 10. */
int64_t tune_thermalization(const tune_options *o, const run_params *p);

/* Whether the options ask for a comparison. */
bool tune_compares(const tune_options *o);

/* Run and report the comparison; the exit status. */
int tune_compare(const run_input *in, const tune_options *o, const char *path, const volatile sig_atomic_t *stop);

#endif
