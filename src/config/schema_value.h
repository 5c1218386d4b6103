/* schema_value.h - converts one scalar of an input to a C value, or says why it cannot.
 *
 * On failure a function returns false, appends a sentence to `why` and does not change the value. */
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

/* Replace a relative *path, relative to the folder of the file `input` or, if that is NULL, to the working directory,
 * by an absolute one (memory_alloc).  Returns NULL, or the reason if that is impossible. */
const char *schema_make_absolute(char **path, const char *input);

#endif
