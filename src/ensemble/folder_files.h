/* folder_files.h - folders with fields as NumPy arrays and all else as JSON, for mid-trajectory checkpoints
 * (midtrajectory.h), failures (failure_folder.h) and mismatches (sdc_check.h).
 *
 * A folder is complete or absent: Kiln writes it under a temporary name, then renames it. */
#ifndef KILN_ENSEMBLE_FOLDER_FILES_H
#define KILN_ENSEMBLE_FOLDER_FILES_H

#include "src/base/text.h"
#include "src/config/yaml.h"
#include "src/gauge/gauge.h"
#include "src/io/field_array.h"

#include <stdint.h>

/* "TERM.WHAT.npy", or "TERM.INDEX.npy" for a field without a name; a slash in the name of a term becomes %2F. */
text field_file_name(const char *term, int index, const char *what);

/* Write or read the array in FOLDER/NAME, slice by slice (slices.h).  False with the reason; the sink then has the
 * slices before the fault. */
bool folder_write(const char *folder, const char *name, const slice_source *from, array_shape shape, failure *f);
bool folder_read(const slice_sink *to, const char *folder, const char *name, array_shape shape, failure *f);

/* To write a folder: folder_begin, then its files, then folder_keep or folder_abandon.  The process holds the lock of
 * the ensemble.
 *     begin    creates DIRECTORY/NAME.partial-PID; its path in `partial` (text_free)
 *     keep     renames it to `path`, which must not exist
 *     abandon  removes it after a fault; replaces the temporary path in the reason `f` by the final one
 *     remove   removes any folder and the files in it
 *     sweep    removes the unfinished folders PREFIX*.partial-* of killed processes */
bool folder_begin(text *partial, const char *directory, const char *name, failure *f);
bool folder_keep(const char *directory, const char *partial, const char *path, failure *f);
void folder_abandon(const char *partial, failure *f);
bool folder_remove(const char *path);
void folders_sweep(const char *directory, const char *prefix);

#endif
