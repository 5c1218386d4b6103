/* audit_inside.c - record the fault and the notes of an audit. */
#include "src/audit/audit_inside.h"

#include <stdarg.h>
#include <stdio.h>

bool audit_found(audit *a, const char *where, const char *what, const char *expected, const char *found,
                 const char *advice)
{
    a->faulty = true;
    return stream_fault_set(&a->fault, where, what, expected, found, advice);
}

void audit_note(audit *a, const char *format, ...)
{
    char line[1200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text_add(&a->notes, "%s\n", line);
}

record_rules audit_rules(const audit *a)
{
    return (record_rules){ &a->segments, a->thermalization, a->params.start.trajectory,
                           (uint64_t)a->params.random.seed, (uint32_t)a->params.random.stream };
}
