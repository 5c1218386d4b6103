/* state_fields_folder.h - the folder of the fields of a state (state_fields.h): its name, and how to remove it. */
#ifndef KILN_ENSEMBLE_STATE_FIELDS_FOLDER_H
#define KILN_ENSEMBLE_STATE_FIELDS_FOLDER_H

#include "src/base/text.h"
#include "src/hmc/run_params.h"

#define STATE_FIELDS ".fields."

/* "DIRECTORY/NAME.fields.000010"; whether an entry of the folder has such a name. */
text state_fields_path(const run_params *p, int64_t trajectory);
bool state_fields_is_name(const run_params *p, const char *entry, int64_t *trajectory);

/* Remove the folder, if it exists.  It is renamed first, so that a half removed folder does not look like a damaged
 * one. */
void state_fields_remove(const run_params *p, int64_t trajectory);

#endif
