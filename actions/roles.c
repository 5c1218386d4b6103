/* roles.c - numbers for refresh, action and force in an input. */
#include "actions/roles.h"

#include <stdio.h>

const char *const role_names[ROLES] = { "refresh", "action", "force" };
const char *const role_keys[ROLES] = { "refresh", "action", "force" };

#define LEAST_RESIDUAL 1e-14

/* Three reals, one for each role. */
#define ROLE_SPECS(refresh, energy, dynamics, least, most, what)                                                       \
    { .key = "refresh", .type = PARAM_REAL, .offset = ROLE_REFRESH * sizeof(double), .fallback = refresh,              \
      .min = least, .max = most, .doc = what " in the refresh of pseudofermions" },                                    \
    { .key = "action", .type = PARAM_REAL, .offset = ROLE_ACTION * sizeof(double), .fallback = energy, .min = least,   \
      .max = most, .doc = what " in the action" },                                                                     \
    { .key = "force", .type = PARAM_REAL, .offset = ROLE_FORCE * sizeof(double), .fallback = dynamics, .min = least,   \
      .max = most, .doc = what " in the force" },                                                                      \
    { 0 }

const param_spec role_residual_specs[] = {
    ROLE_SPECS("1e-10", "1e-10", "1e-7", LEAST_RESIDUAL, 0.1, "largest relative residual |r|/|b| of a solve")
};
const param_spec role_own_residual_specs[] = {
    ROLE_SPECS("0", "0", "0", 0, 0.1, "0 (the inherited value), or the largest relative residual |r|/|b| of a solve")
};
const param_spec role_error_specs[] = {
    ROLE_SPECS("1e-13", "1e-13", "1e-7", 1e-15, 0.01, "largest relative error of the rational function")
};

bool role_residuals_check(role_values own, int determinant, int hasenbusch, failure *f)
{
    char inner[32] = "";
    if (hasenbusch >= 0)
        snprintf(inner, sizeof inner, ".hasenbusch.%d", hasenbusch);
    for (int r = 0; r < ROLES; r++)
        if (own.of[r] > 0 && own.of[r] < LEAST_RESIDUAL)
            return fail(f, "determinants.%d%s.residuals: %g for the %s; allowed are 0, or %g and above", determinant,
                        inner, own.of[r], role_names[r], LEAST_RESIDUAL);
    return true;
}

role_values role_values_or(role_values own, role_values others)
{
    for (int r = 0; r < ROLES; r++)
        if (own.of[r] == 0)
            own.of[r] = others.of[r];
    return own;
}

role_values role_default_errors(void)
{
    role_values errors;
    for (const param_spec *spec = role_error_specs; spec->key; spec++)
        schema_read_default(spec, (char *)&errors + spec->offset);
    return errors;
}
