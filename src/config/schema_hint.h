/* schema_hint.h - where a key belongs that is unknown where it stands: an advice for lines in a wrong column. */
#ifndef KILN_CONFIG_SCHEMA_HINT_H
#define KILN_CONFIG_SCHEMA_HINT_H

#include "src/config/schema_scope.h"

/* Append the fault of a key that the table does not have; `other`: one that is known besides, or NULL.  With `; it is a
 * key of "start.heatbath" (line 11): check the indentation` if it would be known below one of the keys before it, or in
 * a mapping around its own; else with another item of the list of kinds that has such a key, a similar key, or all
 * keys. */
void schema_hint_unknown(text *out, const schema_scope *scope, const yaml_node *key, const param_spec *specs,
                         const char *other, const char *path);

/* Append `; did you mean "method: multigrid"?` for a value that `spec`, a PARAM_CHOICE, does not allow, but another key
 * of its mapping does; else the kinds that allow it; else nothing.  `scope` may be NULL: no mapping. */
void schema_hint_choice(text *out, const schema_scope *scope, const param_spec *spec, const yaml_node *value);

/* Append what a second key of this name in an item of a list suggests: a forgotten dash. */
void schema_hint_duplicate(text *out, const schema_scope *scope, const char *path);

#endif
