/* yaml_tree.h - the memory of a YAML tree: nodes and texts are in a few blocks, which are released together. */
#ifndef KILN_CONFIG_YAML_TREE_H
#define KILN_CONFIG_YAML_TREE_H

#include "src/base/error.h"
#include "src/config/yaml_node.h"

typedef struct yaml_block yaml_block;
typedef struct { yaml_node root; yaml_block *newest; } yaml_tree;    /* root first: callers hold a tree by its root */

yaml_tree *yaml_tree_create(void);

/* The `n` bytes at `bytes` and a terminating zero, owned by the tree. */
char *yaml_tree_text(yaml_tree *tree, const char *bytes, size_t n);

/* A new node, owned by the tree, without parent. */
yaml_node *yaml_tree_node(yaml_tree *tree, yaml_type type, yaml_place place);

/* Append `value` to a sequence (`key` NULL) or under the scalar `key` to a mapping. */
void yaml_tree_append(yaml_tree *tree, yaml_node *parent, yaml_node *key, yaml_node *value);

/* Parse one document into nodes of `tree`.  NULL with the reason; `name` is the file in messages. */
yaml_node *yaml_tree_parse(yaml_tree *tree, const char *bytes, size_t n, const char *name, failure *f);

#endif
