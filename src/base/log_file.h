/* log_file.h - the log file of a process (log.h), for fatal errors of all its threads. */
#ifndef KILN_BASE_LOG_FILE_H
#define KILN_BASE_LOG_FILE_H

/* The time that a line of a log file begins with. */
typedef struct { char s[32]; } log_stamp;
log_stamp log_file_stamp(void);

/* The descriptor of the file that is open; -1: none, the initial value. */
void log_file_set(int descriptor);

/* Append an error, if a file is open. */
void log_file_add_error(const char *sentence);

#endif
