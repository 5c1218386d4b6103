/* schema_scope.h - the mapping that is being read and those around it, for messages about keys in a wrong place. */
#ifndef KILN_CONFIG_SCHEMA_SCOPE_H
#define KILN_CONFIG_SCHEMA_SCOPE_H

#include "src/config/schema.h"

/* A mapping and its table; `path`: the length of its path, a prefix of the path of the value that is read. */
typedef struct schema_scope schema_scope;
struct schema_scope {
    const schema_scope *outer;     /* NULL: this one is the input itself */
    const yaml_node *mapping;      /* NULL: not in the input */
    const param_spec *specs;
    size_t path;
};

#endif
