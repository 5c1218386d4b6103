/* study_output.c - run kiln bench solver in a test. */
#include "tests/bench/study_output.h"

#include "tests/facts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

double number_at(const yaml_node *tree, const char *format, ...)
{
    char path[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    return json_number(tree, path);
}

bool holds(const yaml_node *tree, const char *path, const char *word)
{
    const char *found_word = json_scalar(tree, path);
    return found_word && strcmp(found_word, word) == 0;
}

yaml_node *bench_study_json(const char *words)
{
    const program_output *s = program_run("bench solver %s", words);
    yaml_node *tree = output_json(s);
    if (!fact(s->status == 0 && tree, "kiln bench solver %s ends well, and speaks JSON", words))
        note("%s", text_string(&s->err));
    return tree;
}

void bench_refused(const char *words, int status, const char *reported)
{
    const program_output *s = program_run("bench solver %s", words);
    if (!fact(s->status == status && stderr_has(s, reported), "kiln bench solver %s: %s", words, reported))
        note("but: %d, %s", s->status, text_string(&s->err));
}
