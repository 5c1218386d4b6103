/* run_input.h - the input of a run: read, and checked for what no table can say. */
#ifndef KILN_HMC_RUN_INPUT_H
#define KILN_HMC_RUN_INPUT_H

#include "src/hmc/run_params.h"

/* Read and check the file at `path`, with `sets` ("key.path=value") put over it first.  Every fault is
 * collected; false if there are any.  Nothing is created or touched.  Release with run_input_free, after
 * faults too. */
typedef struct { run_params p; yaml_node *tree; } run_input;
bool run_input_read(run_input *in, const char *path, char *const *sets, int set_count, fault_list *faults);
/* The same of a text; `name` stands for the file in messages. */
bool run_input_read_text(run_input *in, const char *yaml, const char *name, char *const *sets, int set_count,
                         fault_list *faults);
void run_input_free(run_input *in);

/* Look at the start file, if there is one: it must be there, of a known format, and of this lattice.  For an
 * ensemble that begins; one that continues has no need of the file any more. */
bool run_start_check(const run_input *in, fault_list *faults);

#endif
