/* verify_propagator.c - check a file of propagators, and print its contents. */
#include "src/cli/verify_propagator.h"

#include "src/io/propagator_file.h"

#include <stdio.h>
#include <string.h>

typedef struct { failure why; propagator_info info; bool was_opened, ok; } verdict;

static void judge(verdict *v, const char *path)
{
    propagator_file *file = propagator_file_open(path, &v->info, &v->why);
    v->was_opened = file != NULL;
    v->ok = file && propagator_file_check(file, &v->why);
    propagator_file_close(file);
}

/* The next line of a description, as key and value in `line`; NULL after the last. */
static const char *next_line(char line[256], char **value, const char *s)
{
    const size_t n = strcspn(s, "\n");
    snprintf(line, 256, "%.*s", (int)(n < 255 ? n : 255), s);
    char *colon = strstr(line, ": ");
    *value = colon ? colon + 2 : line + strlen(line);
    if (colon)
        *colon = '\0';
    return s[n] ? s + n + 1 : s + n;
}

static void to_json(json *j, const char *path, const verdict *v)
{
    json_open(j, NULL, '{');
    json_text(j, "file", path);
    json_bool(j, "ok", v->ok);
    json_open(j, "why", '[');
    if (!v->ok)
        json_text(j, NULL, v->why.why);
    json_close(j);
    if (v->was_opened) {
        char line[256], *value;
        json_open(j, "dims", '[');
        for (int mu = 0; mu < 4; mu++)
            json_int(j, NULL, v->info.extents[mu]);
        json_close(j);
        json_text(j, "format", "scidac");
        json_text(j, "propagator", propagator_type_names[v->info.type]);
        json_int(j, "bits", v->info.bits);
        json_int(j, "quarks", v->info.quarks);
        json_int(j, "sources", v->info.sources);
        json_text(j, "gamma_basis", v->info.basis);
        json_open(j, "description", '{');
        for (const char *s = text_string(&v->info.description); *s;) {
            s = next_line(line, &value, s);
            json_text(j, line, value);
        }
        json_close(j);
    }
    json_close(j);
}

static void to_text(const char *path, const verdict *v)
{
    printf("%s: %s\n", path, v->ok ? "ok" : "FAILED");
    if (v->was_opened) {
        char line[256], *value;
        printf("  %-12s %s, scidac, %d bits\n", "file", extents_to_text(v->info.extents).s, v->info.bits);
        printf("  %-12s %s\n", "type", propagator_type_names[v->info.type]);
        printf("  %-12s %d quarks, %s, gamma basis %s\n", "fields", v->info.quarks,
               count_to_text(v->info.sources, "source").s, v->info.basis);
        if (v->info.description.length == 0)
            printf("  no description by Kiln: links, mass, boundary and source are not known\n");
        for (const char *s = text_string(&v->info.description); *s;) {
            s = next_line(line, &value, s);
            printf("  %-24s %s\n", line, value);
        }
    }
    if (!v->ok)
        printf("  failed: %s\n", v->why.why);
}

bool verify_propagator(json *j, bool as_json, const char *path)
{
    verdict v = { .ok = false };
    judge(&v, path);
    if (as_json)
        to_json(j, path, &v);
    else
        to_text(path, &v);
    if (v.was_opened)
        propagator_info_free(&v.info);
    return v.ok;
}
