/* parameters_json.c - reads the echo of a run, which is YAML, and writes it as JSON.
 *
 * The echo quotes every text: a scalar without quotes is a number, a truth value, or a choice from a table. */
#include "src/hmc/parameters_json.h"

#include "src/config/number.h"

#include <string.h>

static void scalar_to_json(json *j, const char *key, const yaml_node *node)
{
    text hint = { 0 };
    int64_t integer;
    double real;
    bool yes = strcmp(node->scalar, "true") == 0;
    if (node->quoted)
        json_text(j, key, node->scalar);
    else if (yes || strcmp(node->scalar, "false") == 0)
        json_bool(j, key, yes);
    else if (number_read_integer(node->scalar, &integer, &hint))
        json_int(j, key, integer);
    else if (number_read_real(node->scalar, &real, &hint))
        json_real(j, key, real);
    else
        json_text(j, key, node->scalar);
    text_free(&hint);
}

static void node_to_json(json *j, const char *key, const yaml_node *node)
{
    if (node->type == YAML_SCALAR) {
        scalar_to_json(j, key, node);
        return;
    }
    json_open(j, key, node->type == YAML_MAPPING ? '{' : '[');
    for (int i = 0; i < node->count; i++)
        node_to_json(j, node->type == YAML_MAPPING ? node->key[i]->scalar : NULL, node->item[i]);
    json_close(j);
}

void parameters_to_json(json *j, const char *key, const run_params *p)
{
    text echo = { 0 };
    failure why;
    schema_echo(&echo, run_param_specs, p, false);
    yaml_node *tree = yaml_read_string(text_string(&echo), "the echo of the parameters", &why);
    require(tree != NULL, "%s", why.why);
    node_to_json(j, key, tree);
    yaml_tree_free(tree);
    text_free(&echo);
}
