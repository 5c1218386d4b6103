/* folder_lock.h - DIRECTORY/lock: one process at a time works in a folder.
 *
 * The file has one line, "process 4711 on node7", of LOCK_LINE bytes at most.  A process that ends normally appends
 * LOCK_ENDED to its line; a process that is killed leaves the line without it. */
#ifndef KILN_IO_FOLDER_LOCK_H
#define KILN_IO_FOLDER_LOCK_H

#include "src/base/text.h"

enum { LOCK_LINE = 128 };
#define LOCK_ENDED ", which has ended"

/* Parts of the message if another process holds the lock: what that process does ("runs this ensemble"), and what the
 * user can do. */
typedef struct { const char *does, *remedy; } folder_holder;

/* Lock the folder.  Rank 0 holds the lock with the descriptor *lock; *lock of other ranks is -1.  False with the reason
 * (which process holds it).  On rank 0, appends to `lost` the line of a killed process that held the lock before. */
bool folder_lock(int *lock, text *lost, const char *directory, const folder_holder *other, failure *f);

/* Release the lock.  If `lost` still has a line, this process has not continued the work of the killed process: the
 * file gets that line back, so that the next process finds it. */
void folder_unlock(int *lock, const text *lost);

/* The line of a killed process in the lock file; "" if the last process ended normally. */
text folder_lost_holder(const char *directory);

#endif
