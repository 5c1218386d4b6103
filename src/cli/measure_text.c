/* measure_text.c - one line for each number of a result. */
#include "src/cli/measure_text.h"

#include "src/base/json_members.h"
#include "src/report/headlines.h"

#include <math.h>
#include <string.h>

static void headline_to_text(void *out, const char *title, double value)
{
    if (isfinite(value))
        text_add(out, "  %-26s %.15g\n", title, value);
    else
        text_add(out, "  %-26s none\n", title);
}

static void failure_to_text(text *out, const char *name, yyjson_val *result)
{
    bool converged;
    if (json_member_bool(result, "converged", &converged) && !converged)
        text_add(out, "  %-26s failed: %s\n", name, json_member_text(result, "why"));
}

/* Members of every result, whatever was measured. */
static bool is_common(const char *key)
{
    return strcmp(key, "kind") == 0 || strcmp(key, "settings") == 0 || strcmp(key, "converged") == 0;
}

/* Of a measurement without headlines: the keys of its results. */
static void keys_to_text(text *out, const char *name, yyjson_val *result)
{
    yyjson_val *key, *value;
    size_t i, count;
    int keys = 0;
    text_add(out, "  %-26s measured; --json has its results", name);
    yyjson_obj_foreach(result, i, count, key, value)
        if (!is_common(yyjson_get_str(key)))
            text_add(out, "%s%s", keys++ > 0 ? ", " : ": ", yyjson_get_str(key));
    text_add(out, "\n");
}

void measurement_to_text(text *out, const char *name, yyjson_val *result)
{
    const size_t before = out->length;
    headlines_report(name, result, headline_to_text, out);
    headlines_report_of_one(name, result, headline_to_text, out);
    failure_to_text(out, name, result);
    if (out->length == before)
        keys_to_text(out, name, result);
}
