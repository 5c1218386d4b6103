/* yaml_edit.h - changes a value in the text of a YAML file; comments, order and layout stay. */
#ifndef KILN_CONFIG_YAML_EDIT_H
#define KILN_CONFIG_YAML_EDIT_H

#include "src/base/text.h"

/* Set the value at the path "hmc.levels.0.steps" in `document` to `yaml`, a scalar or a list or mapping in brackets: it
 * replaces the present value, or becomes a new key of an existing mapping.  False with the reason, without change, if
 * the path does not exist up to its last key, or if the present value covers several lines without brackets. */
bool yaml_edit(text *document, const char *path, const char *yaml, failure *f);

#endif
