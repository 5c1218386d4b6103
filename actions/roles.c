/* roles.c - numbers for refresh, action and force in an input. */
#include "actions/roles.h"

const char *const role_names[ROLES] = { "refresh", "action", "force" };
const char *const role_keys[ROLES] = { "refresh", "action", "force" };

#define LEAST_RESIDUAL 1e-14
#define MOST_RESIDUAL 0.1

/* Three reals, one for each role; when_...: the default of the row, or the members that make it optional. */
#define ROLE_SPECS(when_refresh, when_action, when_force, least, most, what)                                           \
    { .key = "refresh", .type = PARAM_REAL, .offset = ROLE_REFRESH * sizeof(double), .min = least, .max = most,        \
      when_refresh, .doc = what " in the refresh of pseudofermions" },                                                 \
    { .key = "action", .type = PARAM_REAL, .offset = ROLE_ACTION * sizeof(double), .min = least, .max = most,          \
      when_action, .doc = what " in the action" },                                                                     \
    { .key = "force", .type = PARAM_REAL, .offset = ROLE_FORCE * sizeof(double), .min = least, .max = most,            \
      when_force, .doc = what " in the force" },                                                                       \
    { 0 }
#define INHERITED(role)                                                                                                \
    .flags = PARAM_OPTIONAL, .given = offsetof(own_role_values, given) + (role) * sizeof(bool), .formerly = "0"
#define RESIDUAL_DOC "largest relative residual |r|/|b| of a solve"

const param_spec role_residual_specs[] = {
    ROLE_SPECS(.fallback = "1e-10", .fallback = "1e-10", .fallback = "1e-7", LEAST_RESIDUAL, MOST_RESIDUAL,
               RESIDUAL_DOC)
};
const param_spec role_own_residual_specs[] = {
    ROLE_SPECS(INHERITED(ROLE_REFRESH), INHERITED(ROLE_ACTION), INHERITED(ROLE_FORCE), LEAST_RESIDUAL, MOST_RESIDUAL,
               RESIDUAL_DOC)
};
const param_spec role_error_specs[] = {
    ROLE_SPECS(.fallback = "1e-13", .fallback = "1e-13", .fallback = "1e-7", 1e-15, 0.01,
               "largest relative error of the rational function")
};

role_values role_values_or(own_role_values own, role_values parent)
{
    for (int r = 0; r < ROLES; r++)
        if (own.given[r])
            parent.of[r] = own.value.of[r];
    return parent;
}

role_values role_default_errors(void)
{
    role_values errors;
    for (const param_spec *spec = role_error_specs; spec->key; spec++)
        schema_read_default(spec, (char *)&errors + spec->offset);
    return errors;
}
