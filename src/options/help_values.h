/* help_values.h - what can be completed after an option and as an operand, for completion scripts of any shell. */
#ifndef KILN_OPTIONS_HELP_VALUES_H
#define KILN_OPTIONS_HELP_VALUES_H

#include "src/base/text.h"
#include "src/options/usage.h"

typedef enum { VALUES_NONE, VALUES_WORDS, VALUES_FOLDERS, VALUES_INPUTS, VALUES_FILES } values_kind;

/* VALUES_WORDS: they are appended to `words`, with blanks between them. */
values_kind help_values_of_option(const option *o, text *words);
values_kind help_values_of_operands(const usage *u, text *words);

#endif
