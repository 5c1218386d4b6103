/* run_end.c - the JSON object of kiln run --json. */
#include "src/cli/run_end.h"

#include "src/base/json.h"

#include <stdio.h>

static void add_trajectory(json *j, const char *key, int64_t number)
{
    if (number >= 0)
        json_int(j, key, number);
    else
        json_text(j, key, NULL);
}

void run_end_print(const run_end *e)
{
    json j = { 0 };
    json_open(&j, NULL, '{');
    json_text(&j, "directory", e->directory);
    json_text(&j, "end", e->end);
    json_text(&j, "by", e->by);
    json_text(&j, "reason", e->reason);
    add_trajectory(&j, "trajectory", e->trajectory);
    add_trajectory(&j, "until", e->until);
    json_bool(&j, "advanced", e->advanced);
    json_int(&j, "restarts", e->restarts);
    json_close(&j);
    puts(json_string(&j));
    json_free(&j);
}
