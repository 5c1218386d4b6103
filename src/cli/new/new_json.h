/* new_json.h - what kiln new chose, as JSON: the file, the parameters, their sources, and warnings. */
#ifndef KILN_CLI_NEW_NEW_JSON_H
#define KILN_CLI_NEW_NEW_JSON_H

#include "src/cli/new/new_request.h"
#include "src/literature/bare_choice.h"

/* On standard output.  `path` is the input, `command` writes it again. */
void new_json_print(const new_request *r, const bare_parameters *b, const char *path, const char *command);

#endif
