/* path_check.h - the paths of a command line: one message and one exit status, EXIT_USAGE, for files and folders that
 * do not exist.  Commands themselves report those that exist but cannot be read or used. */
#ifndef KILN_OPTIONS_PATH_CHECK_H
#define KILN_OPTIONS_PATH_CHECK_H

#include "src/config/text_refs.h"
#include "src/options/usage.h"

/* False with the reason unless `path` exists, which should be the folder of an ensemble.  These functions are
 * collective (io/disk.h). */
bool path_check_folder(const char *path, failure *f);

/* False with the reason unless all `count` operands, and the options that were given, exist or, if the command will
 * write them, are in a folder that exists.  The second `given`: one bool for each row of u->options, whose values are
 * in `values`. */
bool path_check_operands(const usage *u, int count, char *const *given, failure *f);
bool path_check_options(const usage *u, const bool *given, const void *values, failure *f);

#endif
