/* comparison_report.h - the costs of streams as text, as JSON, and as evidence in a new input. */
#ifndef KILN_COMPARE_COMPARISON_REPORT_H
#define KILN_COMPARE_COMPARISON_REPORT_H

#include "src/base/json.h"
#include "src/compare/comparison.h"

/* Append the tables and the choice; every line begins with `before`. */
void comparison_to_text(text *out, const comparison *c, const comparison_request *r, const char *before);

/* Append the members of the open object. */
void comparison_to_json(json *j, const comparison *c, const comparison_request *r);

#endif
