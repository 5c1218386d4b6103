/* test_schema_paths.c - paths of an input: what a relative one counts from, and which keys have one. */
#include "src/base/memory.h"
#include "src/config/schema.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct { char *file, *words; } item;
typedef struct { char *top; item inner; param_list list, kinds; } all;

static const param_spec item_specs[] = {
    { .key = "file", .type = PARAM_TEXT, .offset = offsetof(item, file), .fallback = "\"\"", .flags = PARAM_PATH },
    { .key = "words", .type = PARAM_TEXT, .offset = offsetof(item, words), .fallback = "\"\"" },
    { 0 }
};
static const param_kind one_kind = { "one", "", item_specs, sizeof(item), NULL, NULL };
static const param_kind bare_kind = { "bare", "", NULL, 0, NULL, NULL };
static const param_kind *const kinds[] = { &one_kind, &bare_kind, NULL };
static const param_spec specs[] = {
    { .key = "top", .type = PARAM_TEXT, .offset = offsetof(all, top), .flags = PARAM_PATH | PARAM_NOT_EMPTY },
    { .key = "inner", .type = PARAM_GROUP, .offset = offsetof(all, inner), .fallback = "{}", .group = item_specs },
    { .key = "list", .type = PARAM_LIST, .offset = offsetof(all, list), .fallback = "[]", .group = item_specs,
      .element_size = sizeof(item) },
    { .key = "kinds", .type = PARAM_KINDS, .offset = offsetof(all, kinds), .fallback = "[]", .kinds = kinds },
    { 0 }
};

static bool add_line(const char *key, const param_spec *spec, const void *value, void *lines)
{
    const char *path = schema_path_of(spec, value);
    if (path)
        text_add(lines, "%s=%s; ", key, path);
    return true;
}

/* The paths of an input of that name after these --set. */
static text paths_of(const char *yaml, const char *name, const char *const (*sets)[2])
{
    failure why;
    all values = { 0 };
    fault_list faults = { 0 };
    text lines = { 0 };
    yaml_node *tree = yaml_read_string(yaml, name, &why);
    for (; tree && *sets[0]; sets++)
        if (!yaml_set(tree, sets[0][0], sets[0][1], &why))
            text_add(&lines, "%s\n", why.why);
    schema_read(tree, specs, &values, &faults);
    text_add(&lines, "%s", text_string(&faults.lines));
    schema_each(specs, &values, add_line, &lines);
    schema_free_values(specs, &values);
    fault_list_free(&faults);
    yaml_tree_free(tree);
    return lines;
}

static void keys_of_paths(void)
{
    static const char *const sets[][2] = { { "list.1.file", "said" }, { "inner", "{ file: ../in }" }, { NULL } };
    const char yaml[] = "top: a/b\ninner: { words: x }\nlist: [{ file: /c }, {}, { file: ./d }]\n"
                        "kinds: [{ kind: bare }, { kind: one, file: ../e }, { kind: one, words: y }]\n";
    text expected = { 0 }, found = paths_of(yaml, "/usr/share/run.yaml", sets);
    char *here = getcwd(NULL, 0), *above = strdup(here);
    *strrchr(above, '/') = '\0';
    text_add(&expected, "top=/usr/share/a/b; inner.file=%s/in; list.0.file=/c; list.1.file=%s/said; "
                        "list.2.file=/usr/share/d; kinds.1.file=/usr/e; ", above, here);
    fact(strcmp(text_string(&expected), text_string(&found)) == 0,
         "a relative path counts from the input's folder, of --set from the working directory: %s",
         text_string(&found));
    text_free(&expected);
    text_free(&found);
    free(here);
    free(above);
}

/* PATH, as seen from FILE. */
static void absolute(const char *path, const char *file, const char *expected)
{
    text found = path_absolute(path, file);
    fact(strcmp(text_string(&found), expected) == 0, "\"%s\" in %s is %s, found %s", path, file ? file : "no file",
         expected, text_string(&found));
    text_free(&found);
}

static void absolute_paths(void)
{
    absolute("", "/usr/run.yaml", "");
    absolute("/a/../b", "/usr/run.yaml", "/a/../b");
    absolute("/usr/share/../a//./b/.//", "/run.yaml", "/usr/a/b");
    absolute("/", "/usr/run.yaml", "/");
    absolute("a/", "/usr/run.yaml", "/usr/a");
    absolute("share/../a/../b", "/usr/run.yaml", "/usr/a/../b");
    absolute("./", "/run.yaml", "/");
    absolute("a", "/usr/run.yaml", "/usr/a");
    absolute(".", "/usr/run.yaml", "/usr");
    absolute("..", "/usr/run.yaml", "/");
    absolute("../../../a", "/usr/run.yaml", "/a");
    absolute(".././/./..//a/../b/", "/usr/share/run.yaml", "/a/../b");
    absolute("..a/.b", "/usr/run.yaml", "/usr/..a/.b");
    absolute("../a", "/no/such/run.yaml", "/no/such/../a");
}

/* A folder that is not there yet counts from the working directory, too. */
static void folder_to_come(void)
{
    text expected = { 0 };
    char *here = getcwd(NULL, 0);
    text_add(&expected, "%s/no/such/../a", here);
    absolute("../a", "no/such/run.yaml", text_string(&expected));
    text_free(&expected);
    free(here);
}

/* In a working directory that was removed no relative path means anything: a fault, which says so. */
static void without_working_directory(void)
{
    static const char *const sets[][2] = { { "inner.file", "said" }, { NULL } };
    char *here = getcwd(NULL, 0);
    scratch s = scratch_create();
    text gone = { 0 };
    text_add(&gone, "%s/gone", s.folder);
    const char *folder = text_string(&gone);
    const bool removed = mkdir(folder, 0777) == 0 && chdir(folder) == 0 && rmdir(folder) == 0;
    if (fact(removed, "the working directory is removed")) {
        text found = paths_of("top: /a\n", "/usr/run.yaml", sets);
        fact(strstr(text_string(&found), "inner.file: ") && strstr(text_string(&found), "working directory"),
             "a relative path of --set is a fault: %s", text_string(&found));
        text_free(&found);
        found = paths_of("top: a\n", "/usr/run.yaml", sets + 1);
        fact(strcmp(text_string(&found), "top=/usr/a; ") == 0, "one of an input is not: %s", text_string(&found));
        text_free(&found);
    }
    fact(chdir(here) == 0, "and left");
    text_free(&gone);
    free(here);
    scratch_remove(&s);
}

/* ".." means what the kernel means by it: the folder above the real one. */
static void through_a_link(void)
{
    scratch s = scratch_create();
    text link = { 0 }, input = { 0 };
    text_add(&link, "%s/link", s.folder);
    text_add(&input, "%s/link/run.yaml", s.folder);
    if (fact(symlink("/usr/share", text_string(&link)) == 0, "a link to a folder is made"))
        absolute("../a", text_string(&input), "/usr/a");
    unlink(text_string(&link));
    text_free(&link);
    text_free(&input);
    scratch_remove(&s);
}

int main(void)
{
    absolute_paths();
    through_a_link();
    keys_of_paths();
    folder_to_come();
    without_working_directory();
    fact(memory_bytes_now() == 0, "all memory was given back");
    return facts_end();
}
