/* fault_list.c - the faults of an input, one line each. */
#include "src/base/memory.h"
#include "src/config/schema.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The sentence without "PATH: " at its beginning, because the line already has the path. */
static const char *without_path(const char *sentence, const char *path)
{
    const size_t n = strlen(path);
    return strncmp(sentence, path, n) == 0 && strncmp(sentence + n, ": ", 2) == 0 ? sentence + n + 2 : sentence;
}

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
    text line = { 0 };
    if (strncmp(place.file, YAML_SET_PREFIX, strlen(YAML_SET_PREFIX)) == 0)
        text_add(&line, "%s: %s", place.file, without_path(sentence, place.file + strlen(YAML_SET_PREFIX)));
    else
        text_add(&line, "%s:%d:%d: %s", place.file, place.line, place.column, sentence);
    fault_add_line(faults, text_string(&line));
    text_free(&line);
    memory_free(sentence);
}

/* Only the first FAULTS_SHOWN lines are kept; the last line has the number of the others. */
void fault_add_line(fault_list *faults, const char *line)
{
    faults->count++;
    if (faults->count <= FAULTS_SHOWN) {
        text_add(&faults->lines, "%s\n", line);
        faults->shown = faults->lines.length;
        return;
    }
    if (faults->lines.length > faults->shown) {
        faults->lines.length = faults->shown;
        faults->lines.s[faults->shown] = '\0';
    }
    text_add(&faults->lines, "and %d more\n", faults->count - FAULTS_SHOWN);
}

void fault_list_free(fault_list *faults)
{
    text_free(&faults->lines);
    *faults = (fault_list){ 0 };
}
