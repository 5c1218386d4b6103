/* partial_file.h - names under which files and folders are written until they are complete.
 *
 *     PATH.partial-HOST-PROCESS-ATTEMPT          three numbers; HOST is a digest of the host name
 *
 * The process that writes holds a lock (flock) on the file or folder.  A process that was killed leaves it behind,
 * without the lock; the next process that writes the same PATH removes it.
 *
 * Only the rank that writes calls these functions: they are not collective. */
#ifndef KILN_IO_PARTIAL_FILE_H
#define KILN_IO_PARTIAL_FILE_H

#include "src/base/text.h"

/* Separates PATH from the numbers. */
#define SAFE_FILE_TEMPORARY ".partial-"

/* Create a file, or a folder, under a free name: a descriptor that holds the lock, or -1 with errno. */
int partial_file_create(text *name, const char *path);
int partial_folder_create(text *name, const char *path);

/* A free name, for a library that creates and locks the file itself. */
void partial_file_name(text *name, const char *path);

/* Remove what killed processes of this user on this machine left of `path`.  The functions above do it first. */
void partial_files_sweep(const char *path);

#endif
