/* ensembles_below.h - the ensembles in a folder that is none itself, for a message. */
#ifndef KILN_ENSEMBLE_ENSEMBLES_BELOW_H
#define KILN_ENSEMBLE_ENSEMBLES_BELOW_H

#include "src/base/text.h"

/* Whether a folder is that of an ensemble, as kiln status takes it.  Collective, as disk.h. */
bool folder_is_ensemble(const char *folder);

/* Append "contains 6 ensembles: runs/a, runs/b, runs/c, runs/d and 2 more; choose one: kiln status runs/a", where
 * `command` is "status".  False, and nothing, if no folder in `directory` is an ensemble.  Collective, as disk.h. */
bool ensembles_below_add(text *out, const char *directory, const char *command);

#endif
