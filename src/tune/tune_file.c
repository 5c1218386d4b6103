/* tune_file.c - write the tuned input: edit the text of the user's file and keep its comments. */
#include "src/tune/tune_file.h"

#include "src/base/version.h"
#include "src/config/yaml_edit.h"
#include "src/config/yaml_quoted.h"
#include "src/comm/comm.h"
#include "src/ensemble/write_remedy.h"
#include "src/hmc/run_input.h"
#include "src/io/disk.h"
#include "src/io/safe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifndef PACKAGE_STRING
#define PACKAGE_STRING "kiln"
#endif

/* The second line of a tuned input begins with this mark: the digest of the input from which it was tuned. */
#define MARK "# input digest 0x%016" PRIx64

/* Values to be put into the file, as --set writes them. */
typedef struct { int count; char *item[2 * TEXT_REFS_MAX]; } values;

__attribute__((format(printf, 2, 3))) static void add(values *v, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const size_t size = (size_t)vsnprintf(NULL, 0, format, again) + 1;
    va_end(again);
    v->item[v->count] = malloc(size);
    require(v->item[v->count] != NULL, "out of host memory: a value of the new input");
    vsnprintf(v->item[v->count++], size, format, arguments);
    va_end(arguments);
}

static void free_values(values *v)
{
    for (int i = 0; i < v->count; i++)
        free(v->item[i]);
}

/* That of rank 0. */
static void date_of_today(char date[32])
{
    const time_t now = time(NULL);
    struct tm when;
    strftime(date, 32, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &when));
    comm_broadcast(comm_world(), date, 32);
}

static void add_path(values *v, const char *key, const char *path)
{
    text quoted = { 0 };
    yaml_quoted_add(&quoted, path);
    add(v, "%s=%s", key, text_string(&quoted));
    text_free(&quoted);
}

static bool add_path_of(const char *key, const param_spec *spec, const void *value, void *v)
{
    const char *path = schema_path_of(spec, value);
    if (path)
        add_path(v, key, path);
    return true;
}

/* A path stays unchanged if it means the same in the new file: if this file lies in the folder of the old one, and no
 * --set replaces the path, since paths of --set are relative to the working directory.  Else it becomes absolute. */
static void add_paths(values *v, const tune_file *file, const run_params *p)
{
    text old = path_absolute(".", file->input), new = path_absolute(".", file->output);
    if (file->sets->count > 0 || strcmp(text_string(&old), text_string(&new)) != 0)
        schema_each(run_param_specs, p, add_path_of, v);
    text_free(&old);
    text_free(&new);
}

/* What the user gave, then `values`. */
static void collect(values *v, const tune_file *file, const run_params *p, const tune_file_values *found)
{
    for (int i = 0; i < file->sets->count; i++)
        add(v, "%s", file->sets->item[i]);
    add_paths(v, file, p);
    for (int i = 0; i < found->count; i++)
        add(v, "%s", found->set[i]);
    text words = { 0 }, reported = { 0 };
    char date[32];
    date_of_today(date);
    text_add(&words, "%s, %s: from input 0x%016" PRIx64 " on %s, %s", PACKAGE_STRING, date, run_params_digest(p),
             file->links, found->note);
    yaml_quoted_add(&reported, text_string(&words));
    add(v, "hmc.tuning=%s", text_string(&reported));
    text_free(&words);
    text_free(&reported);
    if (file->directory)
        add_path(v, "output.directory", file->directory);
}

/* The steps and lambdas of the levels, and the chosen values. */
static void collect_tuned(values *v, const tune_result *r)
{
    for (int e = 0; e < r->after.count; e++) {
        add(v, "hmc.levels.%d.steps=%" PRId64, e, r->after.level[e].steps);
        if (r->after.level[e].lambda != r->before.level[e].lambda)
            add(v, "hmc.levels.%d.lambda=%.6g", e, r->after.level[e].lambda);
    }
    for (int i = 0; i < r->sets; i++)
        add(v, "%s", r->set[i]);
}

static bool edit_all(text *content, const values *v, failure *f)
{
    for (int i = 0; i < v->count; i++) {
        text key = { 0 };
        const char *equals = strchr(v->item[i], '=');
        text_add_bytes(&key, v->item[i], (size_t)(equals - v->item[i]));
        const bool done = yaml_edit(content, text_string(&key), equals + 1, f);
        text_free(&key);
        if (!done)
            return false;
    }
    return true;
}

static void add_evidence(text *out, const tune_file *file, const run_params *p, const char *evidence)
{
    char date[32];
    date_of_today(date);
    text_add(out, "# Tuned on %s by %s from %s,\n" MARK ", on links of %s.\n", date, version_program(), file->input,
             run_params_digest(p), file->links);
    text_add(out, "%s\n", evidence);
}

static bool write_new_file(const char *path, const text *content, failure *f)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return fail_system(f, errno, "%s: cannot be written: %s", path, strerror(errno));
    bool ok = write(descriptor, content->s, content->length) == (ssize_t)content->length && fsync(descriptor) == 0;
    const int reason = errno;
    ok = close(descriptor) == 0 && ok;
    if (!ok)
        unlink(path);
    return ok || fail_system(f, reason, "%s: cannot be written: %s", path, strerror(reason));
}

static text mark_of(const run_params *p)
{
    text mark = { 0 };
    text_add(&mark, MARK, run_params_digest(p));
    return mark;
}

/* Whether the file there is for the ensemble of the new one: the digest of an input does not have its folder. */
static bool is_of_ensemble(const tune_file *file, const run_params *p, failure *f)
{
    const char *directory = file->directory ? file->directory : p->output.directory;
    run_input there;
    fault_list faults = { 0 };
    bool same = run_input_read(&there, file->output, NULL, 0, &faults);
    if (!same)
        fail(f, "%s: exists already, but cannot be read as an input; choose another --output, or move the file: %s",
             file->output, text_string(&faults.lines));
    else if (strcmp(there.p.output.directory, directory) != 0)
        same = fail(f, "%s: exists already as the tuned input of another ensemble (output.directory %s, not %s); "
                       "choose another --output, or move the file", file->output, there.p.output.directory, directory);
    fault_list_free(&faults);
    run_input_free(&there);
    return same;
}

static bool may_renew(const tune_file *file, const run_params *p, failure *f)
{
    struct stat there;
    if (disk_status(&there, file->output) != 0)
        return errno == ENOENT || fail_system(f, errno, "%s: %s", file->output, strerror(errno));
    text mark = mark_of(p);
    const bool may = safe_file_may_renew(file->output, text_string(&mark), f)
                     && (there.st_size == 0 || is_of_ensemble(file, p, f));
    text_free(&mark);
    return may;
}

/* Whether the disk lets a file be made there. */
static bool can_create(const tune_file *file, const run_params *p, failure *f)
{
    failure why = { .why = "" };
    text mark = mark_of(p);
    safe_file *s = file->renew ? safe_file_renew(file->output, text_string(&mark), &why)
                               : safe_file_create(file->output, false, &why);
    if (s) {
        safe_file_abandon(s);
    } else {
        text folder = path_absolute(".", file->output), remedy = { 0 };
        const bool known = write_remedy_add(&remedy, text_string(&folder), &why);
        fail_because(f, &why, "--output %s; %s%schoose another --output", why.why, known ? text_string(&remedy) : "",
                     known ? ", or " : "");
        text_free(&folder);
        text_free(&remedy);
    }
    text_free(&mark);
    return s != NULL;
}

bool tune_file_may_write(const tune_file *file, const run_params *p, failure *f)
{
    if (!file->renew && disk_has_name(file->output))
        return fail(f, "%s: exists already; choose another --output, or move the file", file->output);
    return (!file->renew || may_renew(file, p, f)) && can_create(file, p, f);
}

static bool write_new(const char *path, const text *content, failure *f)
{
    const bool done = !comm_is_root(comm_world()) || write_new_file(path, content, f);
    return comm_agree(comm_world(), done, f);
}

/* Whether the file, when read, has the values of the input with the new values. */
static bool has_same_values(const char *path, const char *input, const values *v, failure *f)
{
    run_input written, wanted;
    fault_list faults = { 0 };
    text one = { 0 }, two = { 0 };
    const bool reads_written = run_input_read(&written, path, NULL, 0, &faults);
    const bool reads_wanted = run_input_read(&wanted, input, (char *const *)v->item, v->count, &faults);
    const bool reads = reads_written && reads_wanted;            /* both are to be freed */
    if (reads) {
        schema_echo(&one, run_param_specs, &written.p, false);
        schema_echo(&two, run_param_specs, &wanted.p, false);
    }
    const bool same = reads && strcmp(text_string(&one), text_string(&two)) == 0;
    if (!same)
        fail(f, "%s: the file does not read back correctly: %s", path,
             faults.count > 0 ? text_string(&faults.lines) : "values differ");
    text_free(&one);
    text_free(&two);
    fault_list_free(&faults);
    run_input_free(&written);
    run_input_free(&wanted);
    return same;
}

bool tune_file_check(const tune_file *file, failure *f)
{
    text content = { 0 };
    values v = { 0 };
    for (int i = 0; i < file->sets->count; i++)
        add(&v, "%s", file->sets->item[i]);
    const bool done = disk_add_file(&content, file->input, f) && edit_all(&content, &v, f);
    text_free(&content);
    free_values(&v);
    return done;
}

static bool renew(const tune_file *file, const text *content, const run_params *p, failure *f)
{
    text mark = mark_of(p);
    const bool done = may_renew(file, p, f)
                      && safe_file_renew_text(file->output, text_string(content), text_string(&mark), f);
    text_free(&mark);
    return done;
}

bool tune_file_write_values(const tune_file *file, const run_params *p, const tune_file_values *found, failure *f)
{
    values v = { 0 };
    text content = { 0 }, all = { 0 };
    collect(&v, file, p, found);
    bool done = comm_agree(comm_world(), disk_add_file(&content, file->input, f) && edit_all(&content, &v, f), f);
    if (done) {
        add_evidence(&all, file, p, found->evidence);
        text_add_bytes(&all, content.s, content.length);
        done = file->renew ? renew(file, &all, p, f) : write_new(file->output, &all, f);
    }
    if (done && !comm_agree(comm_world(), has_same_values(file->output, file->input, &v, f), f)) {
        disk_unlink(file->output);
        done = false;
    }
    text_free(&content);
    text_free(&all);
    free_values(&v);
    return done;
}

bool tune_file_write(const tune_file *file, const run_params *p, const tune_result *r, const tune_request *w,
                     failure *f)
{
    values v = { 0 };
    text evidence = { 0 }, note = { 0 };
    collect_tuned(&v, r);
    tune_to_text(&evidence, r, w, "# ");
    text_add(&note, "acceptance %.3f +- %.3f as predicted", r->then.acceptance, r->then.acceptance_error);
    const bool done = tune_file_write_values(file, p, &(tune_file_values){ v.count, (const char *const *)v.item,
                                                                           text_string(&note),
                                                                           text_string(&evidence) }, f);
    text_free(&evidence);
    text_free(&note);
    free_values(&v);
    return done;
}
