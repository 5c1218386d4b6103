/* help_values.c - what can be completed: words where a table lists them, else what a placeholder such as INPUT.yaml or
 * FILE promises. */
#include "src/options/help_values.h"

#include <string.h>

values_kind help_values_of_option(const option *o, text *words)
{
    if (o->list) {
        o->list(words);
        return VALUES_WORDS;
    }
    for (int i = 0; o->choices && o->choices[i]; i++)
        text_add(words, "%s%s", i ? " " : "", o->choices[i]);
    if (o->choices)
        return VALUES_WORDS;
    if (!o->value || o->type == OPTION_FLAG)
        return VALUES_NONE;
    if (strstr(o->value, ".yaml"))
        return VALUES_INPUTS;
    if (strstr(o->value, "DIR") || strstr(o->value, "FOLDER"))
        return VALUES_FOLDERS;
    return strstr(o->value, "FILE") || strstr(o->value, ".npy") ? VALUES_FILES : VALUES_NONE;
}

values_kind help_values_of_operands(const usage *u, text *words)
{
    if (!*u->operands)
        return VALUES_NONE;
    if (strchr(u->operands, '|')) {
        for (const char *c = u->operands; *c; c++)
            text_add(words, "%c", *c == '|' ? ' ' : *c);
        return VALUES_WORDS;
    }
    if (strstr(u->operands, ".yaml"))
        return VALUES_INPUTS;
    return strstr(u->operands, "DIR") || strstr(u->operands, "FOLDER") ? VALUES_FOLDERS : VALUES_FILES;
}
