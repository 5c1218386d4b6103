/* configuration_files.h - the operands CONFIG... of a command as a list of files.
 *
 * An operand is a file; a folder, which stands for the configurations in it; or a pattern of the shell in quotes
 * ("run?/c.[0-9]*.lime"), for lists that are longer than a command line may be. */
#ifndef KILN_CLI_CONFIGURATION_FILES_H
#define KILN_CLI_CONFIGURATION_FILES_H

#include "src/options/options.h"

#define CONFIGURATION_FILES_DOC                                                                                        \
    "CONFIG is a file, a folder (an ensemble: all configurations in it, without checkpoints), or a pattern in\n"       \
    "quotes such as 'run?/c.[0-9]*.lime'."

typedef struct { int count, capacity; char **item; } configuration_files;

/* The files, in the order of the operands; those of a folder or a pattern in the order of the numbers in their names.
 * A missing file stays in the list; opening it fails later.  False with the reason if a folder has no configuration
 * or nothing matches a pattern.  Collective.  Release with configuration_files_free in either case. */
bool configuration_files_find(configuration_files *files, const operands *given, failure *f);
void configuration_files_free(configuration_files *files);

#endif
