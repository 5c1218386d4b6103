/* tune_report.h - the results of a tuning: as text, as JSON, and as evidence in the new input. */
#ifndef KILN_TUNE_TUNE_REPORT_H
#define KILN_TUNE_TUNE_REPORT_H

#include "src/base/json.h"
#include "src/tune/tune_result.h"

/* Append the tables; every line begins with `before`. */
void tune_to_text(text *out, const tune_result *r, const tune_request *w, const char *before);

/* Append the members of the open object. */
void tune_to_json(json *j, const tune_result *r, const tune_request *w);

/* Append longer steps that were measured, and the setting that the bounds of steps exclude. */
void bounds_to_text(text *out, const tune_result *r, const char *before);
void bounds_to_json(json *j, const tune_result *r);

/* Why a setting was chosen that costs more than that of the input. */
const char *cost_reason(const tune_result *r, double target);

/* Append whether the target was reached; if not, by how much it was missed, why, and what to do. */
void target_to_text(text *out, const tune_result *r, double target, const char *before);
void target_to_json(json *j, const tune_result *r, double target);

/* Append whether --minutes left out trajectories or trials, and how to make them. */
void time_limit_to_text(text *out, const tune_result *r, const tune_request *w, const char *before);

/* "1.5 s", "12 min" */
typedef struct { char s[32]; } duration_text;
duration_text duration_to_text(double seconds);

void setting_to_json(json *j, const char *key, const tune_setting *s);
void prediction_to_json(json *j, const char *key, const tune_prediction *p);

/* "4 x omelyan(0.21) / 3 x omelyan" */
void setting_to_text(text *out, const tune_setting *s);

#endif
