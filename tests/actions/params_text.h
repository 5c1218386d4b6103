/* params_text.h - parameters from YAML text, through the table that reads a user's. */
#ifndef KILN_TESTS_ACTIONS_PARAMS_TEXT_H
#define KILN_TESTS_ACTIONS_PARAMS_TEXT_H

#include "src/base/memory.h"
#include "src/config/schema.h"

/* Fills `p`, which is zero; release with schema_free_values.  A fault in the text ends the test. */
__attribute__((unused)) static inline void params_from_text(void *p, const param_spec *specs, const char *yaml)
{
    fault_list faults = { 0 };
    failure f;
    yaml_node *tree = yaml_read_string(yaml, "quarks.yaml", &f);
    require(tree != NULL, "%s", f.why);
    schema_read(tree, specs, p, &faults);
    require(faults.count == 0, "%s", text_string(&faults.lines));
    fault_list_free(&faults);
    yaml_tree_free(tree);
}

#endif
