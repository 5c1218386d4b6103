/* parameters_json.h - the complete parameters of a run as JSON. */
#ifndef KILN_HMC_PARAMETERS_JSON_H
#define KILN_HMC_PARAMETERS_JSON_H

#include "src/base/json.h"
#include "src/hmc/run_params.h"

/* Append `"key": { ... }` with all defaults filled in, under the names of the input. */
void parameters_to_json(json *j, const char *key, const run_params *p);

#endif
