/* run_input.h - read and check the input of a run. */
#ifndef KILN_HMC_RUN_INPUT_H
#define KILN_HMC_RUN_INPUT_H

#include "src/hmc/run_params.h"

/* output.directory in the files that Kiln writes, relative to the folder of the file.  So it stays correct when the
 * ensemble is moved, and the bytes of the file do not depend on the place of the ensemble. */
#define ENSEMBLE_IN_ITS_FOLDER "."
#define ENSEMBLE_ONE_ABOVE ".."                      /* the file is one folder below the folder of the ensemble */

/* Read and check the file at `path`, after replacing values by `sets` ("key.path=value").  Collects all faults; false
 * if there are any.  A file in an ensemble of an earlier version has the meaning of that version.  Creates and changes
 * no files.  Release with run_input_free, also after faults. */
typedef struct { run_params p; yaml_node *tree; } run_input;
bool run_input_read(run_input *in, const char *path, char *const *sets, int set_count, fault_list *faults);
/* The same for a text; messages call it `name`. */
bool run_input_read_text(run_input *in, const char *yaml, const char *name, char *const *sets, int set_count,
                         fault_list *faults);
void run_input_free(run_input *in);

/* Check the start file of a new ensemble, if there is one: it exists, has a known format and this lattice, and links
 * that the quarks of the action can use (start_su3.h).  An ensemble that continues does not need the file any more. */
bool run_start_check(const run_input *in, fault_list *faults);

#endif
