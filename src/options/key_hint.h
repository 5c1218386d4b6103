/* key_hint.h - the key of an input that was given as an option of the command line. */
#ifndef KILN_OPTIONS_KEY_HINT_H
#define KILN_OPTIONS_KEY_HINT_H

#include "src/options/usage.h"

/* For an unknown option of a command that reads an input: append `; "seed" is a key of the input: --set
 * random.seed=VALUE` if the word is the name of a key; nothing if it is none, or the command reads no input. */
void key_hint_add(text *out, const usage *u, const char *word);

#endif
