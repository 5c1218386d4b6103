/* yaml_node.h - a node of a YAML tree, with its place in the file. */
#ifndef KILN_CONFIG_YAML_NODE_H
#define KILN_CONFIG_YAML_NODE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct { const char *file; int line, column; } yaml_place;   /* counted from 1; file borrowed from the tree */

typedef enum { YAML_SCALAR, YAML_SEQUENCE, YAML_MAPPING } yaml_type;

typedef struct yaml_node yaml_node;
struct yaml_node {
    yaml_place place;
    yaml_type type;
    unsigned begin, end;          /* its range of characters in the text, with quotes and brackets; both 0 for a list
                                     or mapping without brackets, and for nodes of yaml_set */
    unsigned last_line : 31;      /* YAML_SCALAR without quotes: where it ends */
    unsigned quoted : 1;
    char *scalar;                 /* YAML_SCALAR: its text, without quotes */
    unsigned length;              /* of this text */
    int count;                    /* items of a sequence, pairs of a mapping */
    yaml_node **item;             /* values */
    yaml_node **key;              /* YAML_MAPPING: scalar nodes, in the order of the file, duplicates kept */
};

/* Trees can have many nodes: keep them small. */
_Static_assert(sizeof(void *) != 8 || sizeof(yaml_node) == 64, "a node has 64 bytes");

#endif
