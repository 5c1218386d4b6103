/* machine.c - ask the system what machine this is, and look for environment variables that change results or speed. */
#include "src/base/machine.h"

#include "src/base/memory.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

extern char **environ;

static const char *const prefixes[] = { "KILN_", "OMP_", "GOMP_", "KMP_", "CUDA_", "NCCL_" };

/* The rest of the first line of a file that begins with `key`, after any of " \t:=\"" and up to a quotation mark. */
static void add_value(text *value, const char *path, const char *key)
{
    const char *const marks = " \t:=\"";
    text all = { 0 };
    failure unused;
    if (text_add_file(&all, path, &unused)) {
        const char *line = text_string(&all);
        while (line && strncmp(line, key, strlen(key)) != 0)
            line = (line = strchr(line, '\n')) ? line + 1 : NULL;
        if (line) {
            line += strlen(key);
            line += strspn(line, marks);
            text_add_bytes(value, line, strcspn(line, "\"\n"));
        }
    }
    text_free(&all);
}

machine_facts machine_describe(void)
{
    machine_facts m = { .system = { 0 } };
    struct utsname name;
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    add_value(&m.system, "/etc/os-release", "PRETTY_NAME");
    if (uname(&name) == 0)
        text_add(&m.kernel, "%s %s %s", name.sysname, name.release, name.machine);
    add_value(&m.cpu, "/proc/cpuinfo", "model name");
    m.cores = omp_get_num_procs();
    m.memory_bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
    return m;
}

void machine_free(machine_facts *m)
{
    text_free(&m->system);
    text_free(&m->kernel);
    text_free(&m->cpu);
}

static bool changes_kiln(const char *variable)
{
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(variable, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **machine_environment(void)
{
    size_t all = 0, count = 0;
    while (environ[all])
        all++;
    const char **found = memory_alloc((all + 1) * sizeof *found, "names of variables");
    for (size_t i = 0; i < all; i++)
        if (changes_kiln(environ[i]))
            found[count++] = environ[i];
    qsort(found, count, sizeof *found, compare_names);
    return found;
}
