/* failed_run.h - the last run of an ensemble, where it ended with an error: the end of run.log says so. */
#ifndef KILN_REPORT_FAILED_RUN_H
#define KILN_REPORT_FAILED_RUN_H

#include "src/base/json.h"
#include "src/base/text.h"

typedef struct {
    text time;                     /* "2026-11-29T18:54:18Z"; "" if the last run did not fail */
    text reason, advice;           /* what failed; what is lost, and what to do */
} failed_run;

/* The failed run of the ensemble in `directory`, whose lock no process holds; `command` continues the ensemble ("":
 * unknown).  Release it with failed_run_free. */
failed_run failed_run_find(const char *directory, const char *command);
void failed_run_free(failed_run *r);

/* Reason and advice with `between` between them; nothing if the last run did not fail. */
void failed_run_add(text *out, const failed_run *r, const char *between);
/* A member `failed_run`; null if the last run did not fail. */
void failed_run_to_json(json *j, const failed_run *r);

#endif
