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

/* The links of a file, checked; NULL with the reason, also if its lattice is not that of the input. */
gauge *measure_open(const char *path, configuration_facts *facts, const measure_request *request, place where,
                    failure *f);

/* The random numbers of the measurements of a file: those of the run that wrote it; else those of the input and of the
 * number in the metadata, or 0. */
measurement_point measure_point(const measure_request *request, const links_info *info);

/* The measurements of the input as one object, as the record of the run would have them; `wanted` has an element for
 * each one, NULL: all.  On a terminal a line names `path` and the measurement that is being made. */
json measure_input(const measure_request *request, const char *path, const links_info *info, const bool *wanted,
                   const gauge *u);

#endif
