/* cmd_export.c - kiln export: records of ensembles and results of kiln measure as an HDF5 file. */
#include "src/base/checksum.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/base/version.h"
#include "src/cli/subcommands.h"
#include "src/ensemble/segment_parameters.h"
#include "src/hmc/run_input.h"
#include "src/io/hdf5_file.h"
#include "src/measure/result_unit.h"
#include "src/options/options.h"
#include "src/publish/line_series.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct { const char *output; } export_options;

static const usage export_usage = {
    .name = "export", .operands = "SOURCE...", .least = 1, .most = -1,
    .about =
        "Writes measurements as an HDF5 file.  SOURCE is the folder of an ensemble (its record run.jsonl, group\n"
        "/record; of several ensembles, each the group with the name of its folder), or a file of kiln measure\n"
        "--results (group /NAME for NAME.jsonl).  A member of a line becomes an array over the lines, [line] for\n"
        "numbers and texts, [line][index] for lists such as correlators.  NaN stands where a line has no value.\n"
        "Attributes say units, shape, and where the data come from.  Lines that changed since Kiln wrote them, and\n"
        "lines of a record that do not continue it, are left out, with a warning.  If a measurement has results\n"
        "with different settings, each set of settings gets its own arrays, NAME@SETTINGS.  No file is overwritten.",
    .options = (const option[]){
        { .name = "output", .value = "FILE.h5", .doc = "the new file", .type = OPTION_TEXT, .path = PATH_WRITE,
          .offset = offsetof(export_options, output), .required = true },
        { 0 }
    },
};

/* Members that only serve Kiln, or the timing of the program. */
static const char *const left_out[] = { "timers", "keys", "digest", NULL };

/* Counts, numbers of trajectories, and truth values, which have no units. */
#define NUMBER "1"

/* The units of series by the last part of their names; others have the unit of their result_member, or are in lattice
 * units. */
static const struct { const char *ending, *units; } units[] = {
    { "seconds", "s" }, { "joules", "J" }, { "bytes_to_device", "byte" }, { "bytes_from_device", "byte" },
    { "size", "byte" }, { "modified", "ns since 1970-01-01T00:00:00Z" }, { "time", "ISO 8601" },
    { "trajectory", NUMBER }, { "accepted", NUMBER }, { "thermalization", NUMBER }, { "reunitarized", NUMBER },
    { "configuration", NUMBER }, { "target", NUMBER }, { "converged", NUMBER }, { "level", NUMBER },
    { "iterations", NUMBER }, { "polish_iterations", NUMBER }, { "solves", NUMBER }, { "switches", NUMBER },
    { "escalations", NUMBER }, { "mismatches", NUMBER },
};

static unit_text units_of(const series *s)
{
    const char *slash = strrchr(s->name, '/'), *last = slash ? slash + 1 : s->name;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(last, units[i].ending) == 0 || (i == 0 && strstr(last, "_seconds")))
            return result_unit_on(units[i].units, false);
    if (s->member && s->member->unit)
        return result_unit_on(s->member->unit, s->anisotropic);
    return result_unit_on(s->type == SERIES_TEXT ? "none (text)" : "lattice units", false);
}

/* "[line][t]": what the last index of a list counts. */
static text shape_of(const series *s)
{
    text shape = { 0 };
    const char *declared = s->member && s->member->shape ? strrchr(s->member->shape, '[') : NULL;
    text_add(&shape, "[line]%s", !s->is_list ? "" : declared ? declared : "[index]");
    return shape;
}

static bool put_series(hdf5_file *h, const char *group, const series *s, size_t lines, failure *f)
{
    text name = { 0 }, shape = shape_of(s);
    text_add(&name, "/%s/%s", group, s->name);
    const char *path = text_string(&name);
    const size_t columns = s->is_list ? s->width : 0;
    const bool ok = (s->type == SERIES_TEXT      ? hdf5_put_texts(h, path, s->text, s->width, lines, f)
                     : s->type == SERIES_INTEGER ? hdf5_put_integers(h, path, s->integer, lines, columns, f)
                                                 : hdf5_put_reals(h, path, s->real, lines, columns, f))
                    && hdf5_put_attribute(h, path, "units", units_of(s).s, f)
                    && hdf5_put_attribute(h, path, "shape", text_string(&shape), f)
                    && (!s->member || hdf5_put_attribute(h, path, "definition", s->member->doc, f));
    text_free(&name);
    text_free(&shape);
    return ok;
}

/* ---- sources */

/* A file of lines, and the group that it becomes; `folder`: of an ensemble, or empty. */
typedef struct { text path, group, folder; } export_source;

static void source_free(export_source *s)
{
    text_free(&s->path);
    text_free(&s->group);
    text_free(&s->folder);
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* `alone`: no other source is an ensemble; its group is then /record, otherwise the name of its folder. */
static void find_source(export_source *s, const char *given, bool alone)
{
    *s = (export_source){ .path = path_absolute(given, NULL) };
    if (is_folder(given)) {
        text record = path_in_folder(text_string(&s->path), "run.jsonl");
        const char *slash = strrchr(text_string(&s->path), '/');
        text_add(&s->group, "%s", alone || !slash || !slash[1] ? "record" : slash + 1);
        text_add(&s->folder, "%s", given);
        text_free(&s->path);
        s->path = record;
        return;
    }
    const char *slash = strrchr(given, '/'), *name = slash ? slash + 1 : given, *ending = strstr(name, ".jsonl");
    text_add_bytes(&s->group, name, ending ? (size_t)(ending - name) : strlen(name));
}

/* A file of parameters, under its name. */
static bool put_parameters(hdf5_file *h, const export_source *s, const char *path, failure *f)
{
    text content = { 0 }, name = { 0 };
    text_add(&name, "/%s/%s", text_string(&s->group), strrchr(path, '/') + 1);
    const bool ok = text_add_file(&content, path, f)
                    && hdf5_put_texts(h, text_string(&name), text_string(&content), content.length, 1, f)
                    && hdf5_put_attribute(h, text_string(&name), "shape", "[1]", f);
    text_free(&content);
    text_free(&name);
    return ok;
}

/* Those of all segments; a warning where the action changes. */
static bool put_all_parameters(hdf5_file *h, const export_source *s, failure *f)
{
    segments all = { 0 };
    segment_parameters *of = NULL;
    const char *folder = text_string(&s->folder);
    bool ok = segments_read(&all, folder, f);
    of = ok ? segment_parameters_read(&all, folder) : NULL;
    text newest = path_in_folder(folder, "parameters.yaml");
    ok = ok && put_parameters(h, s, text_string(&newest), f);
    for (int i = 0; ok && i + 1 < all.count; i++) {
        text path = segments_parameters_path(&all, folder, i);
        ok = put_parameters(h, s, text_string(&path), f);
        if (ok && of[i + 1].new_action)
            log_line(LOG_WARNING, "%s: segments have different actions: trajectories up to %" PRId64 " have that of "
                                  "%s", folder, segments_last(&all, i), strrchr(text_string(&path), '/') + 1);
        text_free(&path);
    }
    text_free(&newest);
    segments_free(&all);
    memory_free(of);
    return ok;
}

static bool put_provenance(hdf5_file *h, const export_source *s, const line_series *all, failure *f)
{
    char digest[24];
    text content = { 0 }, group = { 0 };
    text_add(&group, "/%s", text_string(&s->group));
    bool ok = text_add_file(&content, text_string(&s->path), f);
    snprintf(digest, sizeof digest, "0x%016" PRIx64, digest64(DIGEST64_START, text_string(&content), content.length));
    const char *name = text_string(&group);
    ok = ok && hdf5_put_attribute(h, name, "source", text_string(&s->path), f)
         && hdf5_put_attribute(h, name, "source_digest64", digest, f)
         && hdf5_put_count(h, name, "lines", (int64_t)all->lines, f)
         && hdf5_put_count(h, name, "lines_left_out", (int64_t)(all->filter.changed + all->filter.strays), f);
    ok = ok && (s->folder.length == 0 || put_all_parameters(h, s, f));
    text_free(&content);
    text_free(&group);
    return ok;
}

/* Those lines of a record that the means of its ensemble have. */
static bool read_record(line_series *all, const char *path, const char *folder, failure *f)
{
    segments known = { 0 };
    run_input in = { 0 };
    fault_list faults = { 0 };
    text parameters = path_in_folder(folder, "parameters.yaml");
    const bool readable = run_input_read(&in, text_string(&parameters), NULL, 0, &faults);
    bool ok = segments_read(&known, folder, f);
    const continuity_rules rules = continuity_rules_make(&known, readable ? &in.p : NULL);
    ok = ok && line_series_read(all, path, left_out, &rules, f);
    run_input_free(&in);
    fault_list_free(&faults);
    segments_free(&known);
    text_free(&parameters);
    return ok;
}

/* A record may be given as FOLDER or FOLDER/run.jsonl. */
static bool read_source(line_series *all, const export_source *s, failure *f)
{
    const char *path = text_string(&s->path), *slash = strrchr(path, '/');
    text folder = { 0 };
    text_add_bytes(&folder, path, slash ? (size_t)(slash - path) : 0);
    const bool ok = slash && strcmp(slash, "/run.jsonl") == 0 ? read_record(all, path, text_string(&folder), f)
                                                              : line_series_read(all, path, left_out, NULL, f);
    text_free(&folder);
    return ok;
}

static bool put_source(hdf5_file *h, const export_source *s, failure *f)
{
    line_series all = { 0 };
    bool ok = read_source(&all, s, f);
    for (int i = 0; ok && i < all.count; i++)
        ok = put_series(h, text_string(&s->group), &all.item[i], all.lines, f);
    ok = ok && put_provenance(h, s, &all, f);
    if (ok && (all.filter.changed > 0 || all.torn))
        log_line(LOG_WARNING, "%s: left out: %s that changed since Kiln wrote them%s", text_string(&s->path),
                 count_to_text((int64_t)all.filter.changed, "line").s, all.torn ? ", and a torn last line" : "");
    if (ok && all.filter.strays > 0)
        log_line(LOG_WARNING, "%s: left out: %s not continue the record; the first is line %" PRId64 "; see kiln audit",
                 text_string(&s->path), nouns_to_text((int64_t)all.filter.strays, "line does", "lines do").s,
                 all.filter.first_stray);
    if (ok && all.several)
        log_line(LOG_WARNING, "%s: measurements with one name have results with different settings; each set of "
                              "settings gets its own arrays, NAME@SETTINGS", text_string(&s->path));
    if (ok)
        printf("/%s: %s, %s\n", text_string(&s->group), count_to_text((int64_t)all.lines, "line").s,
               count_to_text(all.count, "array").s);
    line_series_free(&all);
    return ok;
}

static void free_sources(export_source *all, int count)
{
    for (int i = 0; i < count; i++)
        source_free(&all[i]);
    memory_free(all);
}

/* Find all sources before anything is written; their groups are different.  Returns GO_ON or the exit status. */
static int find_sources(export_source *all, const operands *given)
{
    int folders = 0, status = GO_ON;
    for (int i = 0; i < given->count; i++)
        folders += is_folder(given->item[i]);
    for (int i = 0; i < given->count; i++) {
        find_source(&all[i], given->item[i], folders == 1);
        for (int k = 0; k < i && status == GO_ON; k++)
            if (strcmp(text_string(&all[i].group), text_string(&all[k].group)) == 0) {
                log_line(LOG_ERROR, "%s and %s would both be the group /%s: rename one of them, or write two files",
                         given->item[k], given->item[i], text_string(&all[i].group));
                status = EXIT_USAGE;
            }
    }
    return status;
}

/* Write the file of all sources.  Returns the exit status. */
static int write_file(const char *output, const export_source *source, int sources)
{
    failure f;
    hdf5_file *h = hdf5_file_create(output, &f);
    bool ok = h && hdf5_put_attribute(h, "/", "creator", version_program(), &f)
              && hdf5_put_attribute(h, "/", "definitions",
                                    "Kiln's docs/observables.md: quantities; docs/conventions.md: normalizations", &f);
    for (int i = 0; ok && i < sources; i++)
        ok = put_source(h, &source[i], &f);
    if (ok)
        ok = hdf5_file_commit(h, &f);
    else if (h)
        hdf5_file_abandon(h);
    if (!ok)
        log_line(LOG_ERROR, "%s", f.why);
    return ok ? EXIT_OK : EXIT_FAILED;
}

int cmd_export(int argc, char **argv)
{
    export_options o = { 0 };
    operands given;
    int status = options_read(&export_usage, argc, argv, &o, &given);
    if (status != GO_ON)
        return status;
    export_source *all = memory_alloc((size_t)given.count * sizeof *all, "the sources of an export");
    status = find_sources(all, &given);
    if (status == GO_ON)
        status = write_file(o.output, all, given.count);
    free_sources(all, given.count);
    return status;
}
