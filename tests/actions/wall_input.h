/* wall_input.h - parameters of the monomial `domain_wall` from YAML text, through the table that reads a user's. */
#ifndef KILN_TESTS_ACTIONS_WALL_INPUT_H
#define KILN_TESTS_ACTIONS_WALL_INPUT_H

#include "actions/wall_params.h"

/* Release with wall_input_free.  A fault in the text ends the test. */
__attribute__((unused)) static inline wall_params wall_from_text(const char *yaml)
{
    wall_params p = { .name = NULL };
    fault_list faults = { 0 };
    failure f;
    yaml_node *tree = yaml_read_string(yaml, "quarks.yaml", &f);
    require(tree != NULL, "%s", f.why);
    schema_read(tree, wall_specs, &p, &faults);
    require(faults.count == 0, "%s", text_string(&faults.lines));
    fault_list_free(&faults);
    yaml_tree_free(tree);
    return p;
}

__attribute__((unused)) static inline void wall_input_free(wall_params *p)
{
    schema_free_values(wall_specs, p);
}

#endif
