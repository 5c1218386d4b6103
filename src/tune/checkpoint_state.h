/* checkpoint_state.h - a file of JSON in the folder of a checkpoint, and the links that belong to it. */
#ifndef KILN_TUNE_CHECKPOINT_STATE_H
#define KILN_TUNE_CHECKPOINT_STATE_H

#include "src/base/json.h"
#include "src/tune/tuning.h"

/* Their names: "tuning.json", and "links" for links.NNNNNN.lime. */
typedef struct { const char *file, *links; } checkpoint_names;
extern const checkpoint_names checkpoint_of_input;                 /* tune_checkpoint.h */
extern const checkpoint_names checkpoint_of_verification;          /* tune_verification.h */

text checkpoint_file_path(const checkpoint_names *names, const char *folder);
text checkpoint_links_path(const checkpoint_names *names, const char *folder, int64_t number);

/* Write the values and, unless `*saved` is their number, the links of the tuning.  Then remove the links with the
 * number `*saved`, unless it is 0 or `stays`; *saved is afterwards the number of the tuning. */
bool checkpoint_state_save(tuning *t, const checkpoint_names *names, const json *values, int64_t *saved,
                           int64_t stays);

/* Read the links after trajectory `number` into those of the tuning; false with the reason. */
bool checkpoint_links_read(tuning *t, const checkpoint_names *names, int64_t number, failure *f);
void checkpoint_links_remove(const tuning *t, const checkpoint_names *names, int64_t number);

#endif
