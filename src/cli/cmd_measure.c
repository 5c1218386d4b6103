/* cmd_measure.c - kiln measure: observables of configurations in files. */
#include "src/base/log.h"
#include "src/cli/device_choice.h"
#include "src/cli/file_json.h"
#include "src/cli/subcommands.h"
#include "src/io/configuration.h"
#include "src/measure/observable.h"

#include <stdio.h>

typedef struct {
    const char *what;
    bool json;
    device_choice device;
} measure_options;

#define ABOUT                                                                                              \
    "Measures configurations, whatever their format (ILDG, SciDAC, NERSC archive, MILC v5).  A file that\n"  \
    "cannot be believed (see kiln verify) is told on stderr; the others are measured, and the status is 1.\n" \
    "With --json, one file gives one object, several give an array with one each; that of a file which cannot\n" \
    "be believed has the keys \"file\" and \"error\".\n\nObservables:\n"

static const option measure_option_table[] = {
    { .name = "what", .value = "NAMES", .doc = "observables, separated by commas (default: all)",
      .type = OPTION_TEXT, .offset = offsetof(measure_options, what) },
    JSON_OPTION(measure_options, json),
    DEVICE_OPTIONS(measure_options, device),
    { 0 }
};

static void describe(text *about)
{
    text_add(about, ABOUT);
    for (const observable *o = observables; o->name; o++)
        text_add(about, "  %-20s %s\n", o->name, o->doc);
    about->s[--about->length] = '\0';
}

static void measure_to_json(json *j, const char *path, const configuration_facts *facts, const observable_set *set,
                            const gauge *u)
{
    json_open(j, NULL, '{');
    file_to_json(j, path, &facts->info);
    observables_to_json(j, set, u);
    json_close(j);
}

static void error_to_json(json *j, const char *path, const failure *f)
{
    json_open(j, NULL, '{');
    json_text(j, "file", path);
    json_text(j, "error", f->why);
    json_close(j);
}

static void measure_to_text(text *out, const char *path, const configuration_facts *facts, const observable_set *set,
                            const gauge *u)
{
    const links_info *info = &facts->info;
    text_add(out, "%s: %s, %s, %d bits\n", path, extents_to_text(info->extents).s, links_format_name(info->format),
             info->bits);
    observables_to_text(out, set, u);
}

static int measure_all(const operands *files, const observable_set *set, place where, bool as_json)
{
    int status = EXIT_OK;
    json j = { 0 };
    if (as_json && files->count > 1)
        json_open(&j, NULL, '[');
    for (int i = 0; i < files->count; i++) {
        failure f;
        configuration_facts facts;
        text out = { 0 };
        gauge *u = configuration_open(where, &facts, files->item[i], &f);
        if (!u) {
            log_line(LOG_ERROR, "%s", f.why);
            status = EXIT_FAILED;
            if (as_json)
                error_to_json(&j, files->item[i], &f);
        } else if (as_json) {
            measure_to_json(&j, files->item[i], &facts, set, u);
        } else {
            measure_to_text(&out, files->item[i], &facts, set, u);
            fputs(text_string(&out), stdout);
        }
        text_free(&out);
        configuration_close(u);
    }
    if (as_json && files->count > 1)
        json_close(&j);
    if (as_json)
        puts(json_string(&j));
    json_free(&j);
    return status;
}

int cmd_measure(int argc, char **argv)
{
    text about = { 0 };
    describe(&about);
    usage u = { "measure", "CONFIG...", 1, -1, text_string(&about), measure_option_table };
    measure_options o = { 0 };
    operands files;
    observable_set set;
    place where;
    failure f;
    int status = options_read(&u, argc, argv, &o, &files);
    if (status == GO_ON && !observables_select(&set, o.what, &f))
        status = usage_error(&u, "--what: %s", f.why);
    if (status == GO_ON && !device_choice_open(&o.device, &where, &f)) {
        log_line(LOG_ERROR, "%s", f.why);
        status = EXIT_FAILED;
    }
    text_free(&about);
    return status == GO_ON ? measure_all(&files, &set, where, o.json) : status;
}
