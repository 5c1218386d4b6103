/* schema_describe.h - describes parameters in words, for messages and for the reference page. */
#ifndef KILN_CONFIG_SCHEMA_DESCRIBE_H
#define KILN_CONFIG_SCHEMA_DESCRIBE_H

#include "src/config/excerpt.h"
#include "src/config/schema.h"

/* The range of a number; -inf or inf where it is open. */
typedef struct { double min, max; bool above_min, below_max; } param_range;
param_range param_range_of(const param_spec *spec);

/* Append what is allowed: "an even integer >= 2", "one of wilson, iwasaki". */
void describe_allowed(text *out, const param_spec *spec);

/* Append the names of kinds: "gauge, staggered". */
void describe_kinds(text *out, const param_kind *const *kinds);

/* Append what was found: `"abc"`, "a list", "nothing". */
void describe_found(text *out, const yaml_node *node);
/* "expected 4 integers [x, y, z, t], found "4,4,4,8"; write [4,4,4,8]", for --set the whole option. */
void describe_mismatch(text *out, const param_spec *spec, const yaml_node *node);

/* The row of the key on which this key depends (param_spec.choice); NULL: it always applies. */
const param_spec *param_choice_of(const param_spec *specs, const param_spec *spec);
/* Whether a key of a table applies with these values. */
bool param_applies(const param_spec *specs, const param_spec *spec, const void *values);
/* Append why it does not apply: "b is for action mobius, not for shamir: ...", or "b needs the key a, which is missing:
 * ...". */
void describe_not_chosen(text *out, const param_spec *specs, const param_spec *spec, const void *values);

#endif
