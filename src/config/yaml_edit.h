/* yaml_edit.h - changes a value in the text of a YAML file; comments, order and layout stay. */
#ifndef KILN_CONFIG_YAML_EDIT_H
#define KILN_CONFIG_YAML_EDIT_H

#include "src/base/text.h"

/* Put the value `yaml`, a scalar or in brackets, at "hmc.levels.0.steps" in `document`: in the place of the one that is
 * there, or as a new key of the mapping that is.  False with the reason, and nothing changed, where the way there does
 * not exist, or ends at a list, mapping or text that is written over several lines without brackets. */
bool yaml_edit(text *document, const char *path, const char *yaml, failure *f);

#endif
