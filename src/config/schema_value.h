/* schema_value.h - converts one scalar of an input to a C value, or says why it cannot.
 *
 * Every function returns false with the sentence appended to `why`, and then leaves the value alone. */
#ifndef KILN_CONFIG_SCHEMA_VALUE_H
#define KILN_CONFIG_SCHEMA_VALUE_H

#include "src/config/schema.h"

typedef bool scalar_reader(const yaml_node *node, const param_spec *spec, void *value, text *why);

scalar_reader read_int;        /* int64_t */
scalar_reader read_int32;      /* int: an element of PARAM_INT4 */
scalar_reader read_real;       /* double, or an element of PARAM_REAL3 */
scalar_reader read_bool;       /* bool */
scalar_reader read_text;       /* char *, released with memory_free */
scalar_reader read_choice;     /* int */

/* *path, unless it is empty or absolute, becomes absolute: it counts from the folder of the file `input`, or from the
 * working directory where that is NULL.  Returns why that cannot be, or NULL. */
const char *schema_make_absolute(char **path, const char *input);

#endif
