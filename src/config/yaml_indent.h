/* yaml_indent.h - explains in terms of indentation why a text is not YAML.
 *
 * libyaml says what it expected ("did not find expected key"); authors of an input need to know which line does not
 * align with which. */
#ifndef KILN_CONFIG_YAML_INDENT_H
#define KILN_CONFIG_YAML_INDENT_H

#include "src/base/text.h"

#include <stdbool.h>

/* Find the first line of the text with a wrong indentation, up to the line `last`, where libyaml failed (lines and
 * columns count from 1), and append a sentence about it.  False if there is none: the error has another cause. */
bool yaml_indent_explain(text *sentence, int *line, int *column, const char *bytes, size_t n, int last);

#endif
