/* stream_fault.c - a fault in the files of a stream as one sentence or as JSON. */
#include "src/ensemble/stream_fault.h"

#include <stdarg.h>
#include <stdio.h>

fault_reason fault_format(const char *format, ...)
{
    fault_reason w;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(w.s, sizeof w.s, format, arguments);
    va_end(arguments);
    return w;
}

bool stream_fault_set(stream_fault *fault, const char *where, const char *what, const char *expected,
                      const char *found, const char *advice)
{
    text_add(&fault->where, "%s", where);
    text_add(&fault->what, "%s", what);
    text_add(&fault->expected, "%s", expected);
    text_add(&fault->found, "%s", found);
    text_add(&fault->advice, "%s", advice);
    return false;
}

void stream_fault_free(stream_fault *fault)
{
    text_free(&fault->where);
    text_free(&fault->what);
    text_free(&fault->expected);
    text_free(&fault->found);
    text_free(&fault->advice);
}

bool stream_fault_fail(const stream_fault *fault, failure *f)
{
    return fail(f, "%s: %s: expected %s, found %s; %s", text_string(&fault->where), text_string(&fault->what),
                text_string(&fault->expected), text_string(&fault->found), text_string(&fault->advice));
}

void stream_fault_to_json(json *j, const char *key, const stream_fault *fault)
{
    if (!fault) {
        json_text(j, key, NULL);
        return;
    }
    json_open(j, key, '{');
    json_text(j, "where", text_string(&fault->where));
    json_text(j, "fault", text_string(&fault->what));
    json_text(j, "expected", text_string(&fault->expected));
    json_text(j, "found", text_string(&fault->found));
    json_text(j, "advice", text_string(&fault->advice));
    json_close(j);
}
