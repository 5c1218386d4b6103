/* staggered_input.h - parameters of the monomial `staggered` from YAML text, through the table that reads a user's. */
#ifndef KILN_TESTS_ACTIONS_STAGGERED_INPUT_H
#define KILN_TESTS_ACTIONS_STAGGERED_INPUT_H

#include "actions/staggered_quarks.h"
#include "tests/actions/params_text.h"

/* Release with staggered_input_free.  A fault in the text ends the test. */
__attribute__((unused)) static inline staggered_params staggered_from_text(const char *yaml)
{
    staggered_params p = { .name = NULL };
    params_from_text(&p, staggered_specs, yaml);
    return p;
}

__attribute__((unused)) static inline void staggered_input_free(staggered_params *p)
{
    schema_free_values(staggered_specs, p);
}

#endif
