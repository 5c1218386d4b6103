/* program.c - the program kiln, run through the shell. */
#include "tests/cli/program.h"

#include "tests/facts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool program_is_there(void)
{
    if (getenv("KILN_PROGRAM"))
        return true;
    skip("what the program says", "KILN_PROGRAM does not name it");
    return false;
}

static void read_all(text *to, FILE *from)
{
    char block[4096];
    text_clear(to);
    for (size_t n; (n = fread(block, 1, sizeof block, from)) > 0;)
        text_add_bytes(to, block, n);
}

const program_output *program_run(const char *words, ...)
{
    static program_output s;
    char err_path[512];
    const char *folder = getenv("TMPDIR");
    snprintf(err_path, sizeof err_path, "%s/kiln-err-XXXXXX", folder ? folder : "/tmp");
    int err = mkstemp(err_path);
    require(err >= 0, "%s: cannot be made", err_path);
    text command = { 0 };
    char piece[4096];
    va_list arguments;
    va_start(arguments, words);
    vsnprintf(piece, sizeof piece, words, arguments);
    va_end(arguments);
    text_add(&command, "\"$KILN_PROGRAM\" %s 2>'%s'", piece, err_path);
    FILE *pipe = popen(text_string(&command), "r");
    require(pipe != NULL, "%s: cannot be run", text_string(&command));
    read_all(&s.out, pipe);
    int status = pclose(pipe);
    s.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    FILE *errors = fdopen(err, "r");
    read_all(&s.err, errors);
    fclose(errors);
    unlink(err_path);
    text_free(&command);
    return &s;
}

bool stderr_has(const program_output *s, const char *piece)
{
    bool found = strstr(text_string(&s->err), piece) != NULL;
    if (!found)
        note("stderr was: %s", text_string(&s->err));
    return found;
}

bool stdout_has(const program_output *s, const char *piece)
{
    bool found = strstr(text_string(&s->out), piece) != NULL;
    if (!found)
        note("stdout was: %s", text_string(&s->out));
    return found;
}

yaml_node *output_json(const program_output *s)
{
    failure f = { .why = "" };
    const char *first = text_string(&s->out);
    yaml_node *tree = *first == '{' || *first == '[' ? yaml_read_string(first, "stdout", &f) : NULL;
    if (!tree)
        note("stdout is no JSON: %s %s %s", f.why, first, text_string(&s->err));
    return tree;
}

const char *json_scalar(const yaml_node *tree, const char *path)
{
    const yaml_node *node = tree;
    while (node && *path) {
        char key[64];
        size_t n = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)n, path);
        if (node->type == YAML_SEQUENCE)
            node = atoi(key) < node->count ? node->item[atoi(key)] : NULL;
        else
            node = node->type == YAML_MAPPING ? yaml_get(node, key) : NULL;
        path += n + (path[n] == '.');
    }
    return node && node->type == YAML_SCALAR ? node->scalar : NULL;
}

double json_number(const yaml_node *tree, const char *path)
{
    const char *scalar = json_scalar(tree, path);
    return scalar && strcmp(scalar, "null") != 0 ? strtod(scalar, NULL) : NAN;
}
