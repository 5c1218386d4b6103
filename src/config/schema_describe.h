/* schema_describe.h - parameters in words: for messages and for the reference page. */
#ifndef KILN_CONFIG_SCHEMA_DESCRIBE_H
#define KILN_CONFIG_SCHEMA_DESCRIBE_H

#include "src/config/schema.h"

/* The range of a number; -inf or inf where it is open. */
typedef struct { double min, max; bool above_min, below_max; } param_range;
param_range param_range_of(const param_spec *spec);

/* Append what may stand there: "an even integer >= 2", "one of wilson, iwasaki". */
void describe_allowed(text *out, const param_spec *spec);

/* Append what does stand there: `"abc"`, "a list", "nothing". */
void describe_found(text *out, const yaml_node *node);

/* The row that says whether a key applies (param_spec.choice); NULL for one that always does. */
const param_spec *param_choice_of(const param_spec *specs, const param_spec *spec);
/* Whether a key of a table means anything for these values. */
bool param_applies(const param_spec *specs, const param_spec *spec, const void *values);
/* Append why it does not: "b is for action mobius, not for shamir: ...". */
void describe_not_chosen(text *out, const param_spec *specs, const param_spec *spec, const void *values);

/* The user's own words in a message: shortened, and without what would disturb a terminal. */
typedef struct { char s[64]; } excerpt_text;
excerpt_text excerpt(const char *s);

#endif
