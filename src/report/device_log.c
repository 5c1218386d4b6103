/* device_log.c - find the devices of a run in its log. */
#include "src/report/device_log.h"

#include "src/base/error.h"
#include "src/base/open_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* "TIME program kiln VERSION on HOST, DEVICE, N threads, M ranks on a grid of XxYxZxT; ...", ensemble_log.c. */
#define PROGRAM "Z program "
#define TRAJECTORY "Z trajectory "

/* "GPU 0, NVIDIA H200, bus 0000:1b:00.0, 16 threads, 1 rank": the threads of a GPU's host hardly count. */
static void add_name(text *name, const char *device, size_t length)
{
    text all = { 0 };
    text_add_bytes(&all, device, length);
    const char *words = text_string(&all), *kind = strchr(words, ','), *bus = strstr(words, ", bus "),
               *ranks = strrchr(words, ',');
    text_clear(name);
    if (strncmp(words, "GPU ", 4) == 0 && bus && kind < bus)
        text_add(name, "%.*s%s", (int)(bus - kind - 2), kind + 2, ranks);
    else
        text_add(name, "%s", words);
    text_free(&all);
}

/* False for any other line. */
static bool read_program(text *name, const char *line)
{
    const char *program = strstr(line, PROGRAM), *on = program ? strstr(program, " on ") : NULL,
               *device = on ? strchr(on, ',') : NULL, *end = device ? strstr(device, " on a grid of ") : NULL;
    if (end)
        add_name(name, device + 2, (size_t)(end - device - 2));
    return end != NULL;
}

static void add_span(device_log *l, int64_t first, const text *name)
{
    while (l->count > 0 && l->item[l->count - 1].first >= first)        /* made again */
        text_free(&l->item[--l->count].name);
    if (l->count > 0 && strcmp(text_string(&l->item[l->count - 1].name), text_string(name)) == 0)
        return;
    l->item = realloc(l->item, (size_t)(l->count + 1) * sizeof *l->item);
    require(l->item != NULL, "out of host memory: the devices of a run");
    l->item[l->count] = (device_span){ .first = first };
    text_add(&l->item[l->count++].name, "%s", text_string(name));
}

device_log device_log_read(const char *directory)
{
    device_log l = { 0 };
    text path = path_in_folder(directory, "run.log"), name = { 0 };
    FILE *stream = open_file_read(text_string(&path));
    char *line = NULL;
    size_t room = 0;
    bool new_program = false;
    while (stream && getline(&line, &room, stream) > 0) {
        const char *trajectory = strstr(line, TRAJECTORY);
        int64_t first;
        int end = 0;
        if (read_program(&name, line)) {
            new_program = true;
        } else if (new_program && trajectory && sscanf(trajectory, TRAJECTORY "%" SCNd64 "/%n", &first, &end) == 1
                   && end > 0) {
            add_span(&l, first, &name);
            new_program = false;
        }
    }
    free(line);
    if (stream)
        fclose(stream);
    text_free(&name);
    text_free(&path);
    return l;
}

void device_log_free(device_log *l)
{
    for (int i = 0; i < l->count; i++)
        text_free(&l->item[i].name);
    free(l->item);
    *l = (device_log){ 0 };
}
