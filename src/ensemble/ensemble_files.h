/* ensemble_files.h - the files of an ensemble: their names, and which of them to continue from. */
#ifndef KILN_ENSEMBLE_ENSEMBLE_FILES_H
#define KILN_ENSEMBLE_ENSEMBLE_FILES_H

#include "src/base/text.h"
#include "src/hmc/run_params.h"

#include <stdint.h>

typedef enum { FILE_CONFIGURATION, FILE_CHECKPOINT } state_file_kind;

/* A file that holds a state, by its name; `damaged` once that has turned out. */
typedef struct { int64_t trajectory; state_file_kind kind; char *path; bool damaged; } state_file;
typedef struct { int count; state_file *file; } state_files;

/* "DIRECTORY/NAME.000010.lime" or "DIRECTORY/NAME.checkpoint.000010.lime"; to be freed with text_free. */
text state_file_path(const run_params *p, state_file_kind kind, int64_t trajectory);

/* The files in the folder whose names are of these forms, newest trajectory first, configurations before
 * checkpoints of the same trajectory; none if the folder is not there.  Fatal if it cannot be listed: it is not
 * empty for that. */
state_files state_files_list(const run_params *p);
void state_files_free(state_files *files);

/* Whether a file is a configuration of 32 bits: fine to keep, but its links were rounded, and are no state. */
bool state_file_is_rounded(const char *path);

/* Remove a checkpoint once `keep` newer states (of either kind) up to trajectory `newest` are there.  The newest state
 * up to trajectory `confirmed` stays, and so do states later than `newest`, which a stream has whose record lost its
 * end; they are compared when their trajectories are made again. */
void state_files_prune(const run_params *p, int keep, int64_t newest, int64_t confirmed);

/* Give a file that cannot be used the name PATH.corrupt (.corrupt.2, ... if there is one), and say so. */
void state_file_set_aside(const char *path);

/* Remove the temporary files that a killed process has left of this ensemble.  The lock is held, so that none
 * of them is being written. */
void state_files_sweep(const run_params *p);

/* Create the folder and those above it. */
bool ensemble_folder_create(const char *directory, failure *f);

/* Take DIRECTORY/lock for this process; the descriptor, or -1 with the reason (who holds it). */
int ensemble_lock(const char *directory, failure *f);

#endif
