/* headlines.h - the numbers of measurements that people look at first, found in the JSON of a record. */
#ifndef KILN_CLI_HEADLINES_H
#define KILN_CLI_HEADLINES_H

#include "src/config/yaml.h"

#include <stdbool.h>

/* Tell the headlines of every measurement in `results`, the object "measurements" of a line of the record:
 * "flow.t0", "light.condensate(0.05)". */
void headlines_tell(const yaml_node *results, void (*tell)(void *out, const char *title, double value), void *out);

#endif
