/* path_check.h - the paths of a command line: one message and one exit status, EXIT_USAGE, wherever a file or folder is
 * named that does not exist.  What is there, but cannot be read or used, is the affair of the command. */
#ifndef KILN_OPTIONS_PATH_CHECK_H
#define KILN_OPTIONS_PATH_CHECK_H

#include "src/config/text_refs.h"
#include "src/options/usage.h"

/* Whether all operands, and the options that were given (one bool for each row of the table), name what exists, or, if
 * they will be written, something in a folder that exists.  False with the reason.  Collective (io/disk.h). */
bool path_check_folder(const char *path, failure *f);               /* that of an ensemble */
bool path_check_operands(const usage *u, int count, char *const *given, failure *f);
bool path_check_options(const usage *u, const bool *given, const void *values, failure *f);

#endif
