/* roles.h - the roles of a solve: refresh, action, force; and numbers for each of them. */
#ifndef KILN_ACTIONS_ROLES_H
#define KILN_ACTIONS_ROLES_H

#include "src/config/schema.h"

enum { ROLE_REFRESH, ROLE_ACTION, ROLE_FORCE, ROLES };
extern const char *const role_names[ROLES];                 /* "refresh", "action", "force" */
extern const char *const role_keys[ROLES];                  /* the same as keys of input and records */
typedef struct { double of[ROLES]; } role_values;

/* Groups of an input, each a role_values: residuals of solves; residuals of one determinant, 0: inherited; largest
 * relative errors of rational functions. */
extern const param_spec role_residual_specs[], role_own_residual_specs[], role_error_specs[];

/* Checks beyond the table: residuals of a determinant are 0, or within reach of a solve. */
bool role_residuals_check(role_values own, int determinant, failure *f);
role_values role_values_or(role_values own, role_values others);

/* Default errors of the rational functions. */
role_values role_default_errors(void);

#endif
