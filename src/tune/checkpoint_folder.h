/* checkpoint_folder.h - the folder of the checkpoint of a tuning: which one may be it, one process at a time, and what
 * a user does about files in it that cannot be used. */
#ifndef KILN_TUNE_CHECKPOINT_FOLDER_H
#define KILN_TUNE_CHECKPOINT_FOLDER_H

#include "src/base/error.h"

/* Make the folder and lock it, before tune_checkpoint.h uses it.  False with the reason: another process holds the
 * lock, the name is that of a file, or the folder is an ensemble's (`ensemble`, an absolute path, or another one). */
bool checkpoint_folder_lock(int *lock, const char *folder, const char *ensemble, failure *f);
void checkpoint_folder_unlock(int *lock);

/* Fail with the reason `why` and the remedy: that of a disk that refuses (write_remedy.h), else another folder. */
bool checkpoint_folder_fail(const char *folder, const failure *why, failure *f);

#endif
