/* yaml_quoted.h - texts as values of YAML. */
#ifndef KILN_CONFIG_YAML_QUOTED_H
#define KILN_CONFIG_YAML_QUOTED_H

#include "src/base/text.h"

/* Append a text in double quotes, with escapes for characters that YAML would change: control characters, its line
 * breaks (U+0085, U+2028, U+2029) and the byte order mark. */
void yaml_quoted_add(text *out, const char *s);

#endif
