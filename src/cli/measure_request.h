/* measure_request.h - the measurements of kiln measure, which it makes on every file. */
#ifndef KILN_CLI_MEASURE_REQUEST_H
#define KILN_CLI_MEASURE_REQUEST_H

#include "src/hmc/run_params.h"
#include "src/io/configuration.h"
#include "src/measure/observable.h"

typedef struct {
    observable_set set;
    const run_params *input;             /* also the measurements of this input; NULL: none */
} measure_request;

/* The links of a file, checked; NULL with the reason, also if its lattice is not that of the input, or its
 * state has another anisotropy. */
gauge *measure_open(const char *path, configuration_facts *facts, const measure_request *request, place where,
                    failure *f);

/* Whether measure_open gives the links of a file open boundaries in t: the file says so, or the input does. */
bool measure_as_open(const measure_request *request, const links_info *info);

/* links_to_json, with the boundaries that the links have in the measurement. */
void measure_links_to_json(json *j, const measure_request *request, const links_info *info);

/* The random numbers of the measurements of a file with this links_digest.  If the file has the state of a run, they
 * are those of this run.  Otherwise the seed is that of the input with the digest in it, so that other links have other
 * random numbers, the same links the same ones; the trajectory is the number in the metadata, or 0. */
measurement_point measure_point(const measure_request *request, const links_info *info, uint64_t links);
/* The member "random" of results: seed, stream, trajectory, and "links", the digest, if it is in the seed. */
void measure_random_to_json(json *j, const measure_request *request, const configuration_facts *facts);

/* The results of measurements as one object, as the record of the run would have them; and which ones failed. */
typedef struct { json results; int failures; bool failed[MEASUREMENTS_MAX]; } input_results;

/* Makes the measurements of the input; `results` is to be released.  `wanted` has an element for each one, and failed
 * ones have no result; NULL: all, with all results.  On a terminal a line names `path` and the measurement that is
 * being made. */
input_results measure_input(const measure_request *request, const char *path, const configuration_facts *facts,
                            const bool *wanted, const gauge *u);

#endif
