/* wall_input.h - parameters of the monomial `domain_wall` from YAML text, through the table that reads a user's. */
#ifndef KILN_TESTS_ACTIONS_WALL_INPUT_H
#define KILN_TESTS_ACTIONS_WALL_INPUT_H

#include "actions/wall_params.h"
#include "tests/actions/params_text.h"

/* Release with wall_input_free.  A fault in the text ends the test. */
__attribute__((unused)) static inline wall_params wall_from_text(const char *yaml)
{
    wall_params p = { .name = NULL };
    params_from_text(&p, wall_specs, yaml);
    return p;
}

__attribute__((unused)) static inline void wall_input_free(wall_params *p)
{
    schema_free_values(wall_specs, p);
}

#endif
