/* fault_list.c - the faults of an input, one line each. */
#include "src/base/memory.h"
#include "src/config/schema.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void fault_add(fault_list *faults, yaml_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    require(n >= 0, "cannot format \"%s\"", format);

    char *sentence = memory_alloc((size_t)n + 1, "a message about the input");
    va_start(arguments, format);
    vsnprintf(sentence, (size_t)n + 1, format, arguments);
    va_end(arguments);
    if (strncmp(place.file, YAML_SET_PREFIX, strlen(YAML_SET_PREFIX)) == 0)
        text_add(&faults->lines, "%s: %s\n", place.file, sentence);
    else
        text_add(&faults->lines, "%s:%d:%d: %s\n", place.file, place.line, place.column, sentence);
    memory_free(sentence);
    faults->count++;
}

void fault_list_free(fault_list *faults)
{
    text_free(&faults->lines);
    *faults = (fault_list){ 0 };
}
