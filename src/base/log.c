/* log.c - log lines on stderr and in the log file. */
#include "src/base/log.h"

#include "src/base/log_file.h"
#include "src/base/open_file.h"
#include "src/base/rank.h"
#include "src/base/terminal_line.h"
#include "src/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Of this rank; ranks may be threads. */
static _Thread_local FILE *log_file;
static _Thread_local bool quiet;

enum { WIDTH = 80 };                     /* if the terminal does not report it */

static void write_to_file(const char *prefix, const char *format, va_list arguments)
{
    fprintf(log_file, "%s %s", log_file_stamp().s, prefix);
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
    if (!log_file)
        return fail_system(f, errno, "%s: cannot write the log: %s", path, open_file_reason(errno));
    log_file_set(descriptor);
    return true;
}

void log_close_file(void)
{
    if (!log_file)
        return;
    log_file_set(-1);
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
        fputs(ERASE_LINE, stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    if (!terminal)
        fputc('\n', stderr);
    fflush(stderr);
    terminal_line_set(terminal ? LINE_PROGRESS : LINE_ENDED);
}

void log_progress_end(void)
{
    if (rank_number() == 0)
        terminal_line_end();
}

bool log_shows_status(void)
{
    const char *kind = getenv("TERM");
    return rank_number() == 0 && !quiet && isatty(STDERR_FILENO) && kind && *kind && strcmp(kind, "dumb") != 0;
}

/* Number of bytes of the longest beginning of `words` that has at most `width` characters in UTF-8. */
static size_t bytes_of_width(const char *words, int width)
{
    size_t n = 0;
    for (int seen = 0; words[n]; n++)
        if (((unsigned char)words[n] & 0xc0) != 0x80 && seen++ == width)
            break;
    return n;
}

void log_status(const char *format, ...)
{
    struct winsize w;
    char words[512];
    va_list arguments;
    if (!log_shows_status())
        return;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (terminal_line_now() == LINE_PROGRESS)
        fputc('\n', stderr);
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 1;
    fprintf(stderr, ERASE_LINE "%.*s", (int)bytes_of_width(words, (known ? w.ws_col : WIDTH) - 1), words);
    fflush(stderr);
    terminal_line_set(LINE_STATUS);
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
