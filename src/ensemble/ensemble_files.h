/* ensemble_files.h - the files of an ensemble: their names, and which of them to continue from. */
#ifndef KILN_ENSEMBLE_ENSEMBLE_FILES_H
#define KILN_ENSEMBLE_ENSEMBLE_FILES_H

#include "src/base/text.h"
#include "src/hmc/run_params.h"

#include <stdint.h>

typedef enum { FILE_CONFIGURATION, FILE_CHECKPOINT } state_file_kind;

/* A file that holds a state, by its name; `damaged` once a reader has found that. */
typedef struct { int64_t trajectory; state_file_kind kind; char *path; bool damaged; } state_file;
typedef struct { int count; state_file *file; } state_files;

/* "DIRECTORY/NAME.000010.lime" or "DIRECTORY/NAME.checkpoint.000010.lime"; to be freed with text_free. */
text state_file_path(const run_params *p, state_file_kind kind, int64_t trajectory);

/* List the state files in the folder, newest trajectory first, configurations before checkpoints of the same
 * trajectory; none if the folder does not exist.  Fatal if the folder cannot be read. */
state_files state_files_list(const run_params *p);
void state_files_free(state_files *files);

/* Whether a file is a configuration that a run cannot continue from: its links are rounded to 32 bits, or momenta and
 * pseudofermions (src/hmc/smd.h) or links of replicas (src/hmc/tempering.h) belong to its state, which only checkpoints
 * have. */
bool state_file_is_incomplete(const char *path);

/* Remove checkpoints that are older than the `keep` newest states (of either kind) up to trajectory `newest`.  The
 * newest state up to trajectory `confirmed` stays, and so do states later than `newest`: a stream whose record lost its
 * end has them, and the run compares them when it generates their trajectories again. */
void state_files_prune(const run_params *p, int keep, int64_t newest, int64_t confirmed);

/* Rename an unusable file to PATH.corrupt (.corrupt.2, ... if that exists), with a warning. */
void state_file_set_aside(const char *path);

/* Remove temporary files of killed processes.  The caller holds the lock, so that no process writes one. */
void state_files_sweep(const run_params *p);

/* Create the folder and those above it. */
bool ensemble_folder_create(const char *directory, failure *f);

/* Lock the folder of an ensemble; folder_unlock (src/io/folder_lock.h) releases it. */
bool ensemble_lock(int *lock, text *lost, const char *directory, failure *f);

#endif
