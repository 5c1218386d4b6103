/* measurement_changes.c - compare two lists of measurements by name, and their parameters line by line. */
#include "src/measure/measurement_changes.h"

#include <string.h>

int measurement_index(const param_list *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(measurement_name(list, i), name) == 0)
            return i;
    return -1;
}

static void add_change(text *changes, const char *name, const char *what)
{
    text_add(changes, "\n  measurement %s: %s", name, what);
}

/* The lines of one text that the other one lacks, each as a change of the measurement. */
static void add_lines(text *changes, const char *name, const char *whose, const text *of, const text *other)
{
    for (const char *line = text_string(of); *line;) {
        const size_t length = strcspn(line, "\n");
        text one = { 0 }, change = { 0 };
        text_add(&one, "\n");
        text_add_bytes(&one, line, length);
        text_add(&one, "\n");
        text_add(&change, "%s %.*s", whose, (int)length, line);
        if (!strstr(text_string(other), text_string(&one)) && strncmp(text_string(other), one.s + 1, length + 1) != 0)
            add_change(changes, name, text_string(&change));
        text_free(&one);
        text_free(&change);
        line += length + (line[length] == '\n');
    }
}

void measurement_add_differences(text *changes, const param_list *then, int before, const param_list *now, int index)
{
    const char *name = measurement_name(now, index);
    text old = { 0 }, new = { 0 };
    measurement_list_parameters(&old, then, before);
    measurement_list_parameters(&new, now, index);
    add_lines(changes, name, "ensemble:", &old, &new);
    add_lines(changes, name, "input:", &new, &old);
    text_free(&old);
    text_free(&new);
}

void measurements_compare(text *changes, const param_list *then, const param_list *now)
{
    for (int i = 0; i < then->count; i++)
        if (measurement_index(now, measurement_name(then, i)) < 0)
            add_change(changes, measurement_name(then, i), "removed");
    for (int i = 0; i < now->count; i++) {
        const char *name = measurement_name(now, i);
        const int before = measurement_index(then, name);
        if (before < 0)
            add_change(changes, name, "added");
        else
            measurement_add_differences(changes, then, before, now, i);
    }
}
