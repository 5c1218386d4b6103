/* parameter_differences.h - the parameters in which an input differs from an ensemble, for people. */
#ifndef KILN_ENSEMBLE_PARAMETER_DIFFERENCES_H
#define KILN_ENSEMBLE_PARAMETER_DIFFERENCES_H

#include "src/base/text.h"
#include "src/hmc/run_params.h"

/* Append "\n  ensemble: KEY: VALUE" and "\n  input:    KEY: VALUE" for the keys that differ (schema_list_fixed);
 * nothing if none does.  Monomials of the same name and kind are compared wherever they stand in the list; any other
 * monomial has one line, and another order of the same ones has a pair of lines.
 *
 * Append to `action` (may be NULL) the key of the first difference that changes the action: a key of a monomial that is
 * not PARAM_NUMERICAL. */
void parameter_differences_add(text *out, text *action, const run_params *then, const run_params *now);

/* Append "\n  KEY: VALUE (before: VALUE)" for the keys of both that may change while a stream grows and differ, without
 * those of start, output.directory and the measurements. */
void parameter_changes_add(text *out, const run_params *then, const run_params *now);

#endif
