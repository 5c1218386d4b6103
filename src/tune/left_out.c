/* left_out.c - what a tuning left out for lack of time. */
#include "src/tune/left_out.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void left_out_add(left_out_list *l, const char *stage, const char *key, const char *format, ...)
{
    if (l->count < LEFT_OUT_MOST) {
        left_out_trial *added = &l->item[l->count];
        va_list arguments;
        va_start(arguments, format);
        added->stage = stage;
        snprintf(added->key, sizeof added->key, "%s", key);
        vsnprintf(added->trial, sizeof added->trial, format, arguments);
        va_end(arguments);
    }
    l->count++;
}

static int named(const left_out_list *l)
{
    return l->count < LEFT_OUT_MOST ? l->count : LEFT_OUT_MOST;
}

void left_out_to_text(text *out, const left_out_list *l, const char *before)
{
    for (int i = 0; i < named(l); i++) {
        const left_out_trial *x = &l->item[i], *last = i > 0 ? x - 1 : NULL;
        if (last && *x->key && strcmp(x->stage, last->stage) == 0 && strcmp(x->key, last->key) == 0) {
            text_add(out, ", %s", x->trial);
            continue;
        }
        text_add(out, "%s%s  %s: %s%s%s", last ? "\n" : "", before, x->stage, x->key, *x->key ? ": " : "", x->trial);
    }
    if (l->count > 0)
        text_add(out, "\n");
    if (l->count > named(l))
        text_add(out, "%s  and %d others\n", before, l->count - named(l));
}

void left_out_to_json(json *j, const left_out_list *l)
{
    json_open(j, "left_out", '[');
    for (int i = 0; i < named(l); i++) {
        const left_out_trial *x = &l->item[i];
        json_open(j, NULL, '{');
        json_text(j, "stage", x->stage);
        json_text(j, "key", *x->key ? x->key : NULL);
        json_text(j, "trial", x->trial);
        json_close(j);
    }
    json_close(j);
}
