/* log.c - log lines on stderr and in the log file. */
#include "src/base/log.h"

#include "src/base/open_file.h"
#include "src/base/rank.h"
#include "src/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Of this rank; ranks may be threads. */
static _Thread_local FILE *log_file;
static _Thread_local bool quiet, progress_shown;

static void write_to_file(const char *prefix, const char *format, va_list arguments)
{
    char stamp[32];
    time_t now = time(NULL);
    struct tm parts;
    gmtime_r(&now, &parts);
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", &parts);
    fprintf(log_file, "%s %s", stamp, prefix);
    vfprintf(log_file, format, arguments);
    fputc('\n', log_file);
    fflush(log_file);
}

void log_line(log_level level, const char *format, ...)
{
    const char *prefix = level == LOG_ERROR ? "error: " : level == LOG_WARNING ? "warning: " : "";
    va_list arguments;
    if (rank_number() > 0)
        return;
    if (log_file) {
        va_start(arguments, format);
        write_to_file(prefix, format, arguments);
        va_end(arguments);
    }
    if (level == LOG_DETAIL || (quiet && level == LOG_INFO))
        return;
    log_progress_end();
    fputs(prefix, stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

bool log_open_file(const char *path, failure *f)
{
    log_close_file();
    if (rank_number() > 0)
        return true;
    const int descriptor = open_file_own(path, O_WRONLY | O_CREAT | O_APPEND);
    log_file = descriptor >= 0 ? fdopen(descriptor, "a") : NULL;
    return log_file ? true : fail(f, "%s: cannot write the log: %s", path, open_file_reason(errno));
}

void log_close_file(void)
{
    if (log_file)
        fclose(log_file);
    log_file = NULL;
}

void log_progress(const char *format, ...)
{
    va_list arguments;
    if (rank_number() > 0)
        return;
    if (log_file) {
        va_start(arguments, format);
        write_to_file("", format, arguments);
        va_end(arguments);
    }
    if (quiet)
        return;
    bool terminal = isatty(STDERR_FILENO);
    if (terminal)
        fputs("\r\033[K", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    if (!terminal)
        fputc('\n', stderr);
    fflush(stderr);
    progress_shown = terminal;
}

void log_progress_end(void)
{
    if (progress_shown)
        fputc('\n', stderr);
    progress_shown = false;
}

void log_set_quiet(bool on)
{
    quiet = on;
}

/* The stream on rank 0, nowhere on others. */
static FILE *of_root(FILE *stream)
{
    static _Thread_local FILE *nowhere;
    if (rank_number() == 0)
        return stream;
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    return nowhere ? nowhere : stream;
}

FILE *log_stream(void)
{
    return of_root(stderr);
}

FILE *result_stream(void)
{
    return of_root(stdout);
}
