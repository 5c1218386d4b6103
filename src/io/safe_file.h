/* safe_file.h - files that are complete or absent, whatever happens while they are written.
 *
 *     safe_file *s = safe_file_create(path, replace, f);     temporary name in the same folder
 *     fwrite(..., safe_file_stream(s));
 *     safe_file_flush(s, f)                                  fflush + fsync; then the temporary may be re-read
 *     safe_file_commit(s, f)                                 rename, fsync the folder   (frees s)
 *     safe_file_abandon(s)                                   remove the temporary       (frees s)
 *
 * Every write error (disk full, quota, I/O) is a failure with the path and the system's reason.
 *
 * Only rank 0 writes; all ranks of a world make the same calls (collective, comm/comm.h) and get the same result.  What
 * the others write to their streams goes nowhere.  With several ranks, writing to the stream never fails: flush and
 * commit do. */
#ifndef KILN_IO_SAFE_FILE_H
#define KILN_IO_SAFE_FILE_H

#include "src/base/error.h"
#include "src/io/partial_file.h"

#include <stdio.h>

typedef struct safe_file safe_file;

/* NULL with the reason.  `replace` allows to replace a regular file; links, pipes, devices and folders are never
 * replaced. */
safe_file *safe_file_create(const char *path, bool replace, failure *f);
bool safe_file_can_create(const char *path, failure *f);                   /* whether a new file can be written there */
FILE *safe_file_stream(safe_file *s);
const char *safe_file_temporary(const safe_file *s);                       /* its name; borrowed */
bool safe_file_flush(safe_file *s, failure *f);
/* The name, in the same folder, that the file gets if another file has appeared under its own; without `replace`. */
void safe_file_set_other_name(safe_file *s, const char *path);
bool safe_file_commit(safe_file *s, failure *f);     /* s is freed either way; on failure the temporary is removed */
void safe_file_abandon(safe_file *s);

/* Replace names of temporary files and folders in a reason by the final names, which are those that a user knows. */
void safe_file_final_names(failure *f);

/* Make the name of a file or a folder durable: fsync the folder that holds it. */
bool safe_file_keep_name(const char *path, failure *f);

/* Write a whole text in this way; with `replace` the old file stays until the new one is complete.  Without `replace`
 * the path may also lead to a pipe or a character device (/dev/stdout, /dev/null), which gets the text. */
bool safe_file_write_text(const char *path, const char *content, bool replace, failure *f);

/* For files that a command writes again at every call.  The path may be free, or be an empty file or an older file of
 * the same kind: one with the string `mark` in its first SAFE_FILE_MARK bytes and before any zero byte.  Other files
 * are not overwritten: false with the reason.  If the path is a symbolic link, all this holds for its target, and the
 * link stays.  Texts can also be written to pipes and devices. */
#define SAFE_FILE_MARK 4096
bool safe_file_may_renew(const char *path, const char *mark, failure *f);
safe_file *safe_file_renew(const char *path, const char *mark, failure *f);
bool safe_file_renew_text(const char *path, const char *content, const char *mark, failure *f);

#endif
