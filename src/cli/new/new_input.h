/* new_input.h - a commented input from bare parameters. */
#ifndef KILN_CLI_NEW_NEW_INPUT_H
#define KILN_CLI_NEW_NEW_INPUT_H

#include "src/cli/new/new_input_lines.h"

/* Append the whole input. */
void new_input_add(text *t, const new_input *in);

#endif
