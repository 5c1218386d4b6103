/* schema_elsewhere.h - finds where a key or value is allowed that was given in a wrong place: in another item of a list
 * of kinds, in another kind, or in an input rather than on a command line. */
#ifndef KILN_CONFIG_SCHEMA_ELSEWHERE_H
#define KILN_CONFIG_SCHEMA_ELSEWHERE_H

#include "src/config/schema_scope.h"

/* Append ` (kind: gauge, name: g)`, the kind and the name of the item that is being read; nothing outside a list of
 * kinds. */
void schema_elsewhere_add_item(text *out, const schema_scope *scope);

/* Append `; "monomials.1" (kind: wilson, name: quarks) has this key` for the first other item of the list of kinds that
 * may have the key.  False if there is none. */
bool schema_elsewhere_add_key(text *out, const schema_scope *scope, const char *key);

/* Append `; "method: multigrid" is only for kind wilson` if other kinds of the list have a PARAM_CHOICE with the value.
 *  False if there is none. */
bool schema_elsewhere_add_choice(text *out, const schema_scope *scope, const char *value);

/* Append the shortest path of a key, with N for the place in a list: "random.seed", "monomials.N.method".  False if no
 * table has the key. */
bool schema_elsewhere_find(text *path, const param_spec *specs, const char *key);

#endif
