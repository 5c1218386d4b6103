/* verify_propagator.h - kiln verify on a file of propagators (io/propagator_file.h). */
#ifndef KILN_CLI_VERIFY_PROPAGATOR_H
#define KILN_CLI_VERIFY_PROPAGATOR_H

#include "src/base/json.h"

#include <stdbool.h>

/* Checks structure, checksums and that all numbers are finite; prints what the file is, or adds it as an object.  False
 * if a check fails. */
bool verify_propagator(json *j, bool as_json, const char *path);

#endif
