/* json_line.h - a fast way to the tree of a line of JSON as Kiln writes it; libyaml takes twenty times as long.
 *
 * A record has a million lines, each with hundreds of nodes. */
#ifndef KILN_CONFIG_JSON_LINE_H
#define KILN_CONFIG_JSON_LINE_H

#include "src/config/yaml_tree.h"

/* The tree that yaml_tree_parse would make of the same bytes, places included.  NULL, without a reason, for all that is
 * not an object in one line of printable ASCII without escapes: only libyaml can tell what that is. */
yaml_node *json_line_parse(yaml_tree *tree, const char *bytes, size_t n, const char *name, int deepest);

#endif
