/* midtrajectory_files.h - folders that hold a mid-trajectory checkpoint of a run: fields as arrays of NumPy, facts as
 * JSON.
 *
 * They are complete or absent: written under a temporary name, then renamed.  Trouble (failure_folder.h) and
 * trajectories under way (midtrajectory.h) are kept so. */
#ifndef KILN_ENSEMBLE_MIDTRAJECTORY_FILES_H
#define KILN_ENSEMBLE_MIDTRAJECTORY_FILES_H

#include "src/base/text.h"
#include "src/config/yaml.h"
#include "src/io/field_array.h"
#include "src/lattice/gauge.h"

#include <stdint.h>

/* "TERM.WHAT.npy", or with the number of the field where it has no name; a slash in the name of a term is %2F there. */
text field_file_name(const char *term, int index, const char *what);

/* The array in FOLDER/NAME, whose slices (slices.h) these are.  False with the reason; what has been read before it was
 * found is in the sink. */
bool folder_write(const char *folder, const char *name, const slice_source *from, array_shape shape, failure *f);
bool folder_read(const slice_sink *to, const char *folder, const char *name, array_shape shape, failure *f);

/* A folder is written in these steps; the process holds the lock of the ensemble. */
bool folder_begin(text *partial, const char *directory, const char *name, failure *f);  /* DIRECTORY/NAME.partial-PID */
bool folder_keep(const char *directory, const char *partial, const char *path, failure *f);  /* rename; PATH is free */
void folder_abandon(const char *partial, failure *f);        /* remove it; the reason in `f` gets the final names */
bool folder_remove(const char *path);                                    /* a folder and the files in it */
void folders_sweep(const char *directory, const char *prefix);           /* PREFIX*.partial-* of killed processes */

#endif
