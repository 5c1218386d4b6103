/* audit_inside.c - record the fault and the notes of an audit. */
#include "src/audit/audit_inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool audit_found(audit *a, const char *where, const char *what, const char *expected, const char *found,
                 const char *advice)
{
    if (!a->faulty) {
        a->faulty = true;
        return stream_fault_set(&a->fault, where, what, expected, found, advice);
    }
    if (a->others++ >= AUDIT_OTHERS_MAX)
        return false;
    a->other = realloc(a->other, (size_t)a->others * sizeof *a->other);
    require(a->other != NULL, "out of host memory: faults of a stream");
    a->other[a->others - 1] = (stream_fault){ 0 };
    return stream_fault_set(&a->other[a->others - 1], where, what, expected, found, advice);
}

int audit_faults(const audit *a)
{
    return a->faulty + (a->others < AUDIT_OTHERS_MAX ? a->others : AUDIT_OTHERS_MAX);
}

const stream_fault *audit_fault(const audit *a, int index)
{
    return index == 0 ? &a->fault : &a->other[index - 1];
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
