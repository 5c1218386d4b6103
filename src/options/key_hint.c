/* key_hint.c - looks for an unknown option among the keys of the input. */
#include "src/options/key_hint.h"

#include "src/config/schema_elsewhere.h"
#include "src/hmc/run_params.h"

#include <string.h>

/* Whether the words of a command line name its keys by --set. */
static bool reads_input(const usage *u)
{
    const option *o = u->options;
    while (o->name && strcmp(o->name, "set") != 0)
        o++;
    return o->name && u->operands && strcmp(u->operands, "INPUT.yaml") == 0;
}

void key_hint_add(text *out, const usage *u, const char *word)
{
    text key = { 0 }, path = { 0 };
    text_add(&key, "%s", word + strspn(word, "-"));
    for (char *dash = key.s; dash && (dash = strchr(dash, '-'));)
        *dash = '_';
    const bool found = reads_input(u) && key.length > 0 && schema_elsewhere_find(&path, run_param_specs, key.s);
    if (found)
        text_add(out, "; \"%s\" is a key of the input: --set %s=VALUE%s", key.s, path.s,
                 strstr(path.s, ".N") ? ", where N counts the items of the list from 0" : "");
    text_free(&key);
    text_free(&path);
}
