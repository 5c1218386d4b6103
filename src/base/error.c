/* error.c - fatal errors and failures; only here the program ends after an error. */
#include "src/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void fatal(const char *format, ...)
{
    va_list arguments;
    fflush(stdout);
    fputs("kiln: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(EXIT_FAILED);
}

bool fail(failure *f, const char *format, ...)
{
    if (f) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(f->why, sizeof f->why, format, arguments);
        va_end(arguments);
    }
    return false;
}
