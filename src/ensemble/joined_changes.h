/* joined_changes.h - the changes of two successive changes of parameters as those of one.
 *
 * Changes are the lines of parameter_differences.h, "ensemble: KEY: VALUE" and "input: KEY: VALUE", and lines of other
 * kinds, which stay as they are. */
#ifndef KILN_ENSEMBLE_JOINED_CHANGES_H
#define KILN_ENSEMBLE_JOINED_CHANGES_H

#include "src/base/text.h"

/* Append the changes `all`, the earlier ones first, to `out`: of a key the first value of the ensemble and the last one
 * of the input, and neither if they are the same. */
void joined_changes_add(text *out, const text *all);

#endif
