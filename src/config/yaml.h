/* yaml.h - YAML (through libyaml) as a tree; each node has its file, line and column. */
#ifndef KILN_CONFIG_YAML_H
#define KILN_CONFIG_YAML_H

#include "src/base/error.h"
#include "src/config/yaml_node.h"

#include <stdio.h>

/* Limits of an input, against wrong or malicious files. */
enum { YAML_BYTES_MAX = 1 << 20, YAML_DEPTH_MAX = 32 };

/* Read a file, the rest of a stream, or a string (`name` is the file in messages).  NULL with the reason and its place
 * if it is not YAML, not exactly one document, or has anchors, aliases or tags.  The caller owns the whole tree:
 * yaml_tree_free (not yaml_free, which libyaml uses for a function of its own). */
yaml_node *yaml_read_file(const char *path, failure *f);
yaml_node *yaml_read_stream(FILE *stream, const char *path, failure *f);
yaml_node *yaml_read_string(const char *yaml, const char *name, failure *f);
void yaml_tree_free(yaml_node *tree);

/* The value under `key`, NULL if there is none (the first one, if there are several). */
yaml_node *yaml_get(const yaml_node *mapping, const char *key);
yaml_node *yaml_get_part(const yaml_node *mapping, const char *key, size_t length);    /* the key: its first bytes */

/* True for what YAML writes when there is no value: nothing, `~` or `null`, without quotes. */
bool yaml_is_null(const yaml_node *node);

/* Put the value `yaml` at the path "hmc.levels.0.steps" or "hmc.levels[0].steps" (a number selects an item of a list,
 * counted from 0), as the option --set does; missing mappings are created.  The file name in the place of the new node
 * is YAML_SET_PREFIX and the path, and the reason of a failure begins with it.  False: `tree` is unchanged. */
#define YAML_SET_PREFIX "--set "
bool yaml_set(yaml_node *tree, const char *path, const char *yaml, failure *f);

#endif
