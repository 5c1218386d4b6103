/* dwf_input.h - parameters of the monomial `domain_wall` from YAML text, through the table that reads a user's. */
#ifndef KILN_TESTS_ACTIONS_DWF_INPUT_H
#define KILN_TESTS_ACTIONS_DWF_INPUT_H

#include "actions/dwf_params.h"
#include "tests/actions/params_text.h"

/* Release with dwf_input_free.  A fault in the text ends the test. */
__attribute__((unused)) static inline dwf_params dwf_from_text(const char *yaml)
{
    dwf_params p = { .name = NULL };
    params_from_text(&p, dwf_specs, yaml);
    return p;
}

__attribute__((unused)) static inline void dwf_input_free(dwf_params *p)
{
    schema_free_values(dwf_specs, p);
}

#endif
