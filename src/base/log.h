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

/* Append all further lines, with their time, to `path`, too, and a fatal error of any rank of this process.  False with
 * the reason if it cannot be opened. */
bool log_open_file(const char *path, failure *f);
void log_close_file(void);

/* Replace the progress line of a terminal; plain lines where stderr is not one. */
void log_progress(const char *format, ...) PRINTF_LIKE(1, 2);
void log_progress_end(void);

/* Show what is happening now, on a terminal only and never in the log file: the next line of any kind replaces this
 * one, which is cut to the width of the terminal.  log_shows_status: whether that does anything. */
void log_status(const char *format, ...) PRINTF_LIKE(1, 2);
bool log_shows_status(void);

/* Where messages go that are no log lines: stderr; on ranks above 0 nowhere. */
FILE *log_stream(void);

/* Where results go: stdout; on ranks above 0, which have the same, nowhere. */
FILE *result_stream(void);

/* From now on print only warnings and errors on stderr. */
void log_set_quiet(bool quiet);

#endif
