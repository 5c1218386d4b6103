/* log.h - log lines on stderr and in the log file of a run, one fact a line.
 *
 * Results go to stdout, not to the log.  Each rank has its own log, and only that of rank 0 prints (rank.h). */
#ifndef KILN_BASE_LOG_H
#define KILN_BASE_LOG_H

#include "src/base/error.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum { LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DETAIL } log_level;

/* Log a line; warnings begin with "warning: ", errors with "error: ".  LOG_DETAIL goes to the log file only. */
void log_line(log_level level, const char *format, ...) PRINTF_LIKE(2, 3);

/* From now on also append all lines, with their time (UTC), to `path`, and fatal errors of any rank of this process.
 * False with the reason if it cannot be opened. */
bool log_open_file(const char *path, failure *f);
void log_close_file(void);

/* Replace the progress line of a terminal; plain lines where stderr is not one. */
void log_progress(const char *format, ...) PRINTF_LIKE(1, 2);
void log_progress_end(void);

/* Show a status line, cut to the width of the terminal; the next line of any kind replaces it.  Only on a terminal and
 * never in the log file.  log_shows_status: whether it is shown at all. */
void log_status(const char *format, ...) PRINTF_LIKE(1, 2);
bool log_shows_status(void);

/* The stream for messages that are not log lines: stderr on rank 0, /dev/null on the others. */
FILE *log_stream(void);

/* The stream for results: stdout on rank 0, /dev/null on the others, which have the same results. */
FILE *result_stream(void);

/* True: from now on print only warnings and errors on stderr. */
void log_set_quiet(bool quiet);

#endif
