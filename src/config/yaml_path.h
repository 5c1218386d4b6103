/* yaml_path.h - find the value of an input whose path begins a message.
 *
 *     "determinants.1.mass: -3 means ..."     is about the mass of the second determinant of a monomial */
#ifndef KILN_CONFIG_YAML_PATH_H
#define KILN_CONFIG_YAML_PATH_H

#include "src/base/text.h"
#include "src/config/yaml_node.h"

/* If `sentence` begins with a path whose first key is in `node`: append the path to `path`, set *place to that of the
 * deepest value on it that exists, and return the text after the colon.  Paths in pieces are joined:
 * "determinants.0: mass: ".  Else return `sentence` without changes. */
const char *yaml_path_of_sentence(text *path, yaml_place *place, const yaml_node *node, const char *sentence);

#endif
