/* tune_report.h - what a tuning found, for people, for programs, and as the evidence in the file it writes. */
#ifndef KILN_TUNE_TUNE_REPORT_H
#define KILN_TUNE_TUNE_REPORT_H

#include "src/base/json.h"
#include "src/tune/tune_result.h"

/* The tables, every line begun with `before`. */
void tune_to_text(text *out, const tune_result *r, const tune_request *w, const char *before);

/* Members of the object that is open. */
void tune_to_json(json *j, const tune_result *r, const tune_request *w);

/* "4 x omelyan(0.21) / 3 x omelyan" */
void setting_to_text(text *out, const tune_setting *s);

#endif
