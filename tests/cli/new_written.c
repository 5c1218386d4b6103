/* new_written.c - runs `kiln new`, and looks for numbers in the input and in its JSON. */
#include "tests/cli/new_written.h"

#include "tests/cli/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

char *new_written(const char *words)
{
    const program_output *s = program_run("new --seed 1 --output - %s", words);
    return strdup(s->status == 0 ? text_string(&s->out) : "");
}

double new_number(const char *input, const char *key, int nth)
{
    const char *at = input;
    for (int i = 0; at && i <= nth; i++)
        at = (at = strstr(at, key)) ? at + strlen(key) : NULL;
    return at ? strtod(at, NULL) : NAN;
}

int new_count(const char *input, const char *piece)
{
    int n = 0;
    while ((input = strstr(input, piece))) {
        n++;
        input += strlen(piece);
    }
    return n;
}

double new_chosen(const char *folder, const char *words, const char *key)
{
    static int count;
    yaml_node *tree = output_json(program_run("new --seed 1 --json --output '%s/%d.yaml' %s", folder, count++, words));
    const double value = tree ? json_number(tree, key) : NAN;
    yaml_tree_free(tree);
    return value;
}
