/* log.h - what happens, told on stderr and in the run's log file, one line a fact.
 *
 * Results go to stdout and are never told here. */
#ifndef KILN_BASE_LOG_H
#define KILN_BASE_LOG_H

#include "src/base/error.h"

#include <stdbool.h>

typedef enum { LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DETAIL } log_level;

/* A line of `level`, with "warning: " or "error: " in front where it is one.  LOG_DETAIL reaches the
 * log file only. */
void log_line(log_level level, const char *format, ...) PRINTF_LIKE(2, 3);

/* Append every further line, with its time, to `path` as well.  False with the reason when it cannot be opened. */
bool log_open_file(const char *path, failure *f);
void log_close_file(void);

/* Replace the progress line of a terminal; plain lines where stderr is not one. */
void log_progress(const char *format, ...) PRINTF_LIKE(1, 2);
void log_progress_end(void);

/* Nothing on stderr but warnings and errors from now on. */
void log_set_quiet(bool quiet);

#endif
