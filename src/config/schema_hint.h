/* schema_hint.h - advice for a key or value that its mapping does not allow, for example because of its indentation. */
#ifndef KILN_CONFIG_SCHEMA_HINT_H
#define KILN_CONFIG_SCHEMA_HINT_H

#include "src/config/schema_scope.h"

/* Append the sentence about a key that the table does not have.  `other`: a key that is allowed besides the table, or
 * NULL; `path`: of the mapping.  The sentence ends with the first of these that applies: `; it is a key of
 * "start.heatbath" (line 11): check the indentation`, if it is allowed below a key before it or in a mapping around its
 * own; another item of the list of kinds with this key; a similar key; all allowed keys. */
void schema_hint_unknown(text *out, const schema_scope *scope, const yaml_node *key, const param_spec *specs,
                         const char *other, const char *path);

/* For a value that `spec`, a PARAM_CHOICE, does not allow: append `; did you mean "method: multigrid"?` if another key
 * of its mapping allows it, else the kinds that allow it, if any.  `scope` may be NULL: no mapping. */
void schema_hint_choice(text *out, const schema_scope *scope, const param_spec *spec, const yaml_node *value);

/* For a duplicate key in an item of a list: append that the dash of a new item may be missing. */
void schema_hint_duplicate(text *out, const schema_scope *scope, const char *path);

#endif
