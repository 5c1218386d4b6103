/* roles.h - the roles of a solve: refresh, action, force; and numbers for each of them. */
#ifndef KILN_ACTIONS_ROLES_H
#define KILN_ACTIONS_ROLES_H

#include "src/config/schema.h"
#include "src/solvers/dirac_task.h"

enum { ROLE_REFRESH, ROLE_ACTION, ROLE_FORCE, ROLES };
extern const char *const role_names[ROLES];                 /* "refresh", "action", "force" */
extern const char *const role_keys[ROLES];                  /* the same as keys of input and records */
typedef struct { double of[ROLES]; } role_values;
/* Values that a part of an input gives; roles that are not given inherit a value (role_values_or). */
typedef struct { role_values value; bool given[ROLES]; } own_role_values;

/* Groups of an input: residuals of solves and largest relative errors of rational functions, each a role_values;
 * residuals of one determinant, an own_role_values. */
extern const param_spec role_residual_specs[], role_error_specs[], role_own_residual_specs[];

/* Rows of inputs, for values at(residual), at(residual_norm), at(max_iterations), at(error).  OWN: of a part of an
 * input, which inherits from `parent`; `when`: when the row applies (.choice, .chosen). */
#define ROLE_SOLVES_SPECS(at)                                                                                          \
    { .key = "residuals", .type = PARAM_GROUP, .offset = at(residual), .fallback = "{}", .group = role_residual_specs, \
      .flags = PARAM_NUMERICAL, .doc = "relative residuals at which solves stop",                                      \
      .example = "{ refresh: 1e-10, action: 1e-10, force: 1e-7 }",                                                     \
      .see = "physics.md#residuals" },                                                                                 \
    { .key = "residual_norm", .type = PARAM_CHOICE, .offset = at(residual_norm), .fallback = "two",                    \
      .choices = residual_norm_names, .flags = PARAM_NUMERICAL,                                                        \
      .doc = "norm of the residuals. two: |r|/|b|; uniform: also |r|/|b| with the largest norm of a site in place of " \
             "the 2-norm, for the true residual of every solve",                                                      \
      .see = "solvers.md#the-norm-of-the-stopping-rule" },                                                             \
    { .key = "max_iterations", .type = PARAM_INT, .offset = at(max_iterations), .fallback = "20000", .min = 1,         \
      .max = 10000000, .flags = PARAM_FREE_TO_CHANGE,                                                                  \
      .doc = "largest number of iterations of a solve; a solve that needs more stops the run" }
#define ROLE_OWN_RESIDUALS_SPEC(at, part, parent)                                                                      \
    { .key = "residuals", .type = PARAM_GROUP, .offset = at(residual), .fallback = "{}",                               \
      .group = role_own_residual_specs, .flags = PARAM_NUMERICAL,                                                      \
      .doc = "residuals of the solves of this " part "; a key that is not given takes the value of the " parent,       \
      .example = "{ action: 1e-11, force: 1e-6 }", .see = "physics.md#residuals" }
#define ROLE_ERRORS_SPEC(at, when)                                                                                     \
    { .key = "errors", .type = PARAM_GROUP, .offset = at(error), .fallback = "{}", .group = role_error_specs, when     \
      .flags = PARAM_NUMERICAL,                                                                                        \
      .doc = "largest relative errors of the rational functions; Kiln chooses the numbers of poles accordingly",       \
      .example = "{ refresh: 1e-13, action: 1e-13, force: 1e-7 }", .see = "physics.md#rational-functions" }

/* The given values of `own`, and those of `parent` for the other roles. */
role_values role_values_or(own_role_values own, role_values parent);

/* Default errors of the rational functions. */
role_values role_default_errors(void);

#endif
