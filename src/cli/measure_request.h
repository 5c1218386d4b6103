/* measure_request.h - what kiln measure measures on every file. */
#ifndef KILN_CLI_MEASURE_REQUEST_H
#define KILN_CLI_MEASURE_REQUEST_H

#include "src/hmc/run_params.h"
#include "src/io/configuration.h"
#include "src/measure/observable.h"

typedef struct {
    observable_set set;
    const run_params *input;             /* its measurements, too; NULL: none */
} measure_request;

/* The links of a file, checked; NULL with the reason, also if its lattice is not that of the input, or its
 * state has another anisotropy. */
gauge *measure_open(const char *path, configuration_facts *facts, const measure_request *request, place where,
                    failure *f);

/* The random numbers of the measurements of a file: those of the run that wrote it; else those of the input and of the
 * number in the metadata, or 0. */
measurement_point measure_point(const measure_request *request, const links_info *info);

/* The results of measurements as one object, as the record of the run would have them; and which ones failed. */
typedef struct { json results; int failures; bool failed[MEASUREMENTS_MAX]; } input_results;

/* Makes the measurements of the input; `results` is to be released.  `wanted` has an element for each one, and failed
 * ones have no result; NULL: all, with all results.  On a terminal a line names `path` and the measurement that is
 * being made. */
input_results measure_input(const measure_request *request, const char *path, const links_info *info,
                            const bool *wanted, const gauge *u);

#endif
