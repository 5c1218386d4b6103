/* yaml_path.h - the value of an input that a sentence is about: sentences begin with its path.
 *
 *     "determinants.1.mass: -3 means ..."     is about the mass of the second determinant of a monomial */
#ifndef KILN_CONFIG_YAML_PATH_H
#define KILN_CONFIG_YAML_PATH_H

#include "src/base/text.h"
#include "src/config/yaml_node.h"

/* Append the path at the beginning of `sentence`, if its first key is in `node`, and return what follows its colon.
 * `place`: of the deepest value on the path that is in the tree.  Paths in pieces are joined: "determinants.0: mass: ".
 * Without a path it returns `sentence`, and nothing changes. */
const char *yaml_path_of_sentence(text *path, yaml_place *place, const yaml_node *node, const char *sentence);

#endif
