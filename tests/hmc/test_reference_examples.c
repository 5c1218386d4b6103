/* test_reference_examples.c - the reference page has an example for every block of an input, and each is a valid
 * value of its key. */
#include "src/base/memory.h"
#include "src/hmc/run_params.h"
#include "tests/facts.h"

#include <string.h>

enum { VALUE_BYTES = 1 << 16 };        /* more than the struct of any block */

static int blocks;

/* What schema_read says of the text as the value of this one key; owned by the caller. */
static text faults_of(const param_spec *spec, const char *yaml)
{
    param_spec alone[] = { *spec, { 0 } };
    alone[0].offset = 0;
    alone[0].choice = NULL;
    void *values = memory_alloc(VALUE_BYTES, "values of an example");
    memset(values, 0, VALUE_BYTES);
    failure f = { .why = "" };
    fault_list faults = { 0 };
    text said = { 0 };
    yaml_node *tree = yaml_read_string(yaml, "example", &f);
    if (tree) {
        schema_read(tree, alone, values, &faults);
        text_add(&said, "%s", text_string(&faults.lines));
        schema_free_values(alone, values);
    } else {
        text_add(&said, "%s", f.why);
    }
    yaml_tree_free(tree);
    fault_list_free(&faults);
    memory_free(values);
    return said;
}

static void check_example(const param_spec *spec, const char *path, const char *yaml)
{
    text said = faults_of(spec, yaml);
    fact(said.length == 0, "the example of %s is valid %s", path, text_string(&said));
    text_free(&said);
    blocks++;
}

static void check_table(const param_spec *specs, const char *path);

static void check_kind(const param_spec *spec, const param_kind *kind, const char *path)
{
    text yaml = { 0 }, name = { 0 };
    text_add(&name, "%s of kind %s", path, kind->name);
    if (kind->example)
        schema_example_of_kind(&yaml, spec->key, kind);
    fact(kind->example && kind->see, "%s has an example and an explanation", text_string(&name));
    check_example(spec, text_string(&name), text_string(&yaml));
    check_table(kind->params, text_string(&name));
    text_free(&yaml);
    text_free(&name);
}

static void check_table(const param_spec *specs, const char *path)
{
    for (const param_spec *spec = specs; spec->key; spec++) {
        text name = { 0 };
        text_add(&name, "%s%s%s", path, *path ? "." : "", spec->key);
        for (const param_kind *const *kind = spec->kinds; kind && *kind; kind++)
            check_kind(spec, *kind, text_string(&name));
        if (spec->group) {
            text yaml = { 0 };
            text_add(&yaml, "%s: %s\n", spec->key, spec->example ? spec->example : "");
            fact(spec->example && spec->see, "%s has an example and an explanation", text_string(&name));
            check_example(spec, text_string(&name), text_string(&yaml));
            text_free(&yaml);
            check_table(spec->group, text_string(&name));
        }
        text_free(&name);
    }
}

static void refused(void)
{
    const param_spec *random = run_param_specs;
    while (strcmp(random->key, "random"))
        random++;
    text said = faults_of(random, "random: { sead: 1 }\n");
    fact(strstr(text_string(&said), "sead") != NULL, "a wrong example would be found");
    text_free(&said);
}

int main(void)
{
    refused();
    check_table(run_param_specs, "");
    fact(blocks > 30, "%d blocks have an example", blocks);
    return facts_end();
}
