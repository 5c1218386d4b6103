/* error.c - fatal errors and failures; the only place where the program exits after an error. */
#include "src/base/error.h"

#include "src/base/log_file.h"
#include "src/base/rank.h"
#include "src/base/terminal_line.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static _Atomic(fatal_hook *) hook;
static atomic_flag ending = ATOMIC_FLAG_INIT;

void fatal_set_hook(fatal_hook *last)
{
    atomic_store(&hook, last);
}

_Noreturn void fatal(const char *format, ...)
{
    va_list arguments;
    /* One thread ends the process.  Errors of other threads after that are consequences and are not reported. */
    while (atomic_flag_test_and_set(&ending))
        pause();
    /* In one piece, since ranks share stderr. */
    char sentence[4096];
    const int n = rank_number() > 0 ? snprintf(sentence, sizeof sentence, "%s: ", rank_name(rank_number()).s) : 0;
    va_start(arguments, format);
    vsnprintf(sentence + n, sizeof sentence - (size_t)n, format, arguments);
    va_end(arguments);
    fflush(stdout);
    terminal_line_end();
    fprintf(stderr, "kiln: %s\n", sentence);
    log_file_add_error(sentence);
    if (atomic_load(&hook))
        atomic_load(&hook)();
    exit(EXIT_FAILED);
}

static void set_failure(failure *f, int error, const char *format, va_list arguments)
{
    if (f) {
        vsnprintf(f->why, sizeof f->why, format, arguments);
        f->error = error;
        f->names_rank = false;
    }
}

bool fail(failure *f, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_failure(f, 0, format, arguments);
    va_end(arguments);
    return false;
}

bool fail_system(failure *f, int error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_failure(f, error, format, arguments);
    va_end(arguments);
    return false;
}

bool fail_because(failure *f, const failure *cause, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_failure(f, cause->error, format, arguments);
    va_end(arguments);
    return false;
}
