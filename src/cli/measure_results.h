/* measure_results.h - kiln measure --results: many configurations into one file, resumable. */
#ifndef KILN_CLI_MEASURE_RESULTS_H
#define KILN_CLI_MEASURE_RESULTS_H

#include "src/cli/configuration_files.h"
#include "src/cli/measure_request.h"

#include <signal.h>

/* Measure what the file of results (ensemble/results.h) does not have yet, one configuration after the other, and
 * append each one.  Stops between two configurations when a signal has set `stop`.  Prints a summary on stdout.
 * Returns the exit status: EXIT_FAILED if a file cannot be measured, if a measurement fails (its result is not
 * appended), or after a stop.  Collective. */
int measure_into_results(const char *path, const configuration_files *files, const measure_request *request,
                         place where, const volatile sig_atomic_t *stop, bool as_json);

#endif
