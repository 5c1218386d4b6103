/* restart_log.h - the restarts of a run (kiln run --restarts): the lines of run.log that report them. */
#ifndef KILN_REPORT_RESTART_LOG_H
#define KILN_REPORT_RESTART_LOG_H

#include "src/base/text.h"

#include <stdint.h>

/* Within a line: "TIME warning: SIGKILL", KILLED, "this run after trajectory 12", AGAIN, "the state of ...". */
#define RESTART_LOG_KILLED " killed the process of "
#define RESTART_LOG_AGAIN ": started again from "

typedef struct {
    int64_t count;
    text last;                      /* of the newest one, "SIGKILL after trajectory 12, 2026-11-29T18:54:18Z" */
} restart_log;

/* Those in DIRECTORY/run.log; none if there is no log.  Release it with restart_log_free. */
restart_log restart_log_read(const char *directory);
void restart_log_free(restart_log *l);

#endif
