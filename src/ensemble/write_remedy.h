/* write_remedy.h - what a user does about a file of an ensemble that cannot be written. */
#ifndef KILN_ENSEMBLE_WRITE_REMEDY_H
#define KILN_ENSEMBLE_WRITE_REMEDY_H

#include "src/base/error.h"
#include "src/base/text.h"

/* Append what removes the cause of a failure: "free space in /data/a" or the like if the failed system call met a full
 * disk, a quota, a missing permission or a limit on the size of files; else "remove the cause of the failure", and
 * false. */
bool write_remedy_add(text *out, const char *directory, const failure *why);

#endif
