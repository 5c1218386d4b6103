/* schema_scope.h - where in the input the reader is, for the messages about what does not belong there. */
#ifndef KILN_CONFIG_SCHEMA_SCOPE_H
#define KILN_CONFIG_SCHEMA_SCOPE_H

#include "src/config/schema.h"

/* The mapping that is being read and its table; `path` characters of the path lead to it. */
typedef struct schema_scope schema_scope;
struct schema_scope {
    const schema_scope *outer;     /* NULL: this one is the input itself */
    const yaml_node *mapping;      /* NULL: not in the input */
    const param_spec *specs;
    size_t path;
};

#endif
