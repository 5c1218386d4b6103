/* measure_text.h - results of measurements as lines of text, for kiln measure without --json. */
#ifndef KILN_CLI_MEASURE_TEXT_H
#define KILN_CLI_MEASURE_TEXT_H

#include "src/base/json_read.h"
#include "src/base/text.h"

/* At least one line for the result of the measurement `name`: its numbers, why it failed, or where its results are. */
void measurement_to_text(text *out, const char *name, yyjson_val *result);

#endif
