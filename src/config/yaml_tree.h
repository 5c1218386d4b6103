/* yaml_tree.h - the memory of a YAML tree: nodes and texts are in a few blocks, which are released together.
 *
 * A record of a run is read line by line, a hundred nodes each; one allocation a node would cost more
 * than the parsing. */
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

/* Room for up to `most` nodes, or pointers to nodes, in a row, without content. */
yaml_node *yaml_tree_room(yaml_tree *tree, size_t most);
yaml_node **yaml_tree_stack(yaml_tree *tree, size_t most);

/* Make `children` those of a sequence, or with keys and values in turn those of a mapping; more may be appended. */
void yaml_tree_adopt(yaml_tree *tree, yaml_node *parent, yaml_node *const *children, int count);

/* Append `value` to a sequence (`key` NULL) or under the scalar `key` to a mapping. */
void yaml_tree_append(yaml_tree *tree, yaml_node *parent, yaml_node *key, yaml_node *value);

/* Forget nodes and texts, and keep memory for as many. */
void yaml_tree_clear(yaml_tree *tree);

/* For many texts one after the other: as yaml_read_string (yaml.h), but the tree, which is valid until the next call,
 * is in the memory of `tree`; release that with yaml_tree_free(&tree->root). */
const yaml_node *yaml_tree_read(yaml_tree *tree, const char *yaml, const char *name, failure *f);

/* Parse one document into nodes of `tree`.  NULL with the reason; `name` stands for the file. */
yaml_node *yaml_tree_parse(yaml_tree *tree, const char *bytes, size_t n, const char *name, failure *f);

#endif
