/* fuzz_input.c - arbitrary bytes as the input of a run, against its tables; what fits is written out and fits again.
 *
 * A first line "=key.path=value" is a --set, the rest YAML.  Whether the values make sense together is fuzz_check's
 * question: that takes time. */
#include "tests/fuzz/targets.h"

#include "src/base/memory.h"
#include "src/hmc/run_params.h"

#include <stdlib.h>
#include <string.h>

/* NULL where the text is no YAML or does not fit the tables: then there is a line for every fault. */
static run_params *read_text(const char *yaml, const char *set, fault_list *faults)
{
    failure f = { .why = "" };
    yaml_node *tree = yaml_read_string(yaml, FUZZ_NAME, &f);
    if (!tree) {
        expect_reason(f.why, FUZZ_NAME);
        return NULL;
    }
    const char *equals = set ? strchr(set, '=') : NULL;
    char *key = equals ? strndup(set, (size_t)(equals - set)) : NULL;
    if (key && !yaml_set(tree, key, equals + 1, &f))
        expect_reason(f.why, "--set ");
    free(key);
    run_params *p = memory_alloc(sizeof *p, "parameters");
    schema_read(tree, run_param_specs, p, faults);
    yaml_tree_free(tree);
    if (faults->count == 0)
        return p;
    int lines = 0;
    for (size_t i = 0; i < faults->lines.length; i++)
        lines += faults->lines.s[i] == '\n';
    expect(lines >= faults->count && faults->lines.s[faults->lines.length - 1] == '\n', "a line for every fault");
    schema_free_values(run_param_specs, p);
    memory_free(p);
    return NULL;
}

bool fuzz_input(const uint8_t *bytes, size_t n)
{
    fault_list faults = { 0 };
    char *all = fuzz_text(bytes, n), *yaml = all, *set = NULL;
    if (*all == '=') {
        set = all + 1;
        yaml = set + strcspn(set, "\n");
        if (*yaml)
            *yaml++ = '\0';
    }
    run_params *p = read_text(yaml, set, &faults);
    const bool taken = p != NULL;
    if (taken) {
        text echo = { 0 }, again = { 0 };
        schema_echo(&echo, run_param_specs, p, false);
        run_params *q = read_text(text_string(&echo), NULL, &faults);
        expect(q != NULL, "parameters that can be read again");
        schema_echo(&again, run_param_specs, q, false);
        expect(strcmp(text_string(&echo), text_string(&again)) == 0, "the same parameters");
        expect(run_params_digest(p) == run_params_digest(q), "with the same digest");
        schema_free_values(run_param_specs, p);
        schema_free_values(run_param_specs, q);
        memory_free(p);
        memory_free(q);
        text_free(&echo);
        text_free(&again);
    }
    fault_list_free(&faults);
    free(all);
    return taken;
}
