/* measure_results.c - measure configurations one by one, and keep every result at once.
 *
 * A file that is unchanged since it was measured (path, size, time, checksum in its metadata) is skipped; its links are
 * not read.  Any other file is read, and its links decide: so a copy, or the same links in another format, is not
 * measured again either. */
#include "src/cli/measure_results.h"

#include "src/base/checksum.h"
#include "src/base/clock.h"
#include "src/base/log.h"
#include "src/base/version.h"
#include "src/cli/stop_signals.h"
#include "src/comm/comm.h"
#include "src/ensemble/results.h"
#include "src/io/disk.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

enum { OBSERVABLES_MAX = (int)sizeof(observable_set), KEYS_MAX = OBSERVABLES_MAX + MEASUREMENTS_MAX };

/* The measurements that are still missing for some links. */
typedef struct {
    observable_set set;
    bool measurement[MEASUREMENTS_MAX], any_measurement;
    int observables, count;              /* keys of observables, then those of measurements */
    measured_key keys[KEYS_MAX];
    bool again;                          /* another file without a number has the same links */
} missing_parts;

typedef struct {
    results *r;
    const measure_request *request;
    place where;
    int done, skipped, failed, total;
    int again;                           /* files without a number with the links of another one */
    double began;                        /* on clock_now */
} measure_stream;

/* The number of the configuration in a file (results.h).  That of a NERSC archive does not count: some programs write
 * the same number everywhere. */
static int64_t number_of(const links_info *info, const char *path)
{
    return results_number(info->has_state ? info->state.trajectory : -1, path);
}

/* The digest of the parameters of a measurement, with the boundaries of the links: a file that does not say which it
 * has may be measured with both, and the means of loops differ. */
static uint64_t on_boundaries(uint64_t parameters, bool open)
{
    return open ? digest64(parameters, "open", strlen("open")) : parameters;
}

static bool lacks(missing_parts *missing, const results *r, measured_key of, int64_t number)
{
    if (results_have(r, of.key, number))
        return false;
    missing->again = missing->again || (number < 0 && results_have_unnumbered(r, of.key));
    missing->keys[missing->count++] = of;
    return true;
}

static missing_parts find_missing(const measure_stream *s, const measured_file *file, const links_info *info,
                                  uint64_t links)
{
    missing_parts missing = { 0 };
    const int64_t number = number_of(info, file->path);
    const measure_request *request = s->request;
    const bool open = measure_as_open(request, info);
    for (int i = 0; observables[i].name; i++) {
        const uint64_t key = results_key(observables[i].name, on_boundaries(0, open), links, NULL);
        missing.set.wanted[i] = request->set.wanted[i]
                                && lacks(&missing, s->r, (measured_key){ observables[i].name, key, 0 }, number);
    }
    missing.observables = missing.count;
    for (int i = 0; request->input && i < request->input->measurements.count; i++) {
        const param_list *list = &request->input->measurements;
        const measurement_point point = measure_point(request, info, links);
        const uint64_t parameters = measurement_digest(run_measurements(request->input), i);
        const uint64_t key = results_key("measurement", on_boundaries(parameters, open), links,
                                         measurement_is_deterministic(list, i) ? NULL : &point);
        const measured_key of = { measurement_name(list, i), key,
                                  measurement_settings(run_measurements(request->input), i) };
        missing.measurement[i] = lacks(&missing, s->r, of, number);
        missing.any_measurement |= missing.measurement[i];
    }
    return missing;
}

/* ---- one configuration */

/* The file as it is now; its path is absolute, to be released. */
static bool inspect_file(measured_file *file, text *absolute, links_info *info, const char *path, failure *f)
{
    struct stat status;
    *absolute = path_absolute(path, NULL);
    if (disk_status(&status, path) != 0)
        return fail_system(f, errno, "%s: cannot be opened: %s", path, strerror(errno));
    if (!links_read_info(path, info, f))
        return false;
    *file = (measured_file){ text_string(absolute), status.st_size,
                             (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec,
                             info->has_checksum ? info->checksum : "" };
    return true;
}

/* Without the keys of measurements that failed: the next call makes these again. */
static void leave_out_failed(missing_parts *missing, const input_results *measured)
{
    int kept = missing->observables, next = kept;
    for (int i = 0; i < MEASUREMENTS_MAX; i++) {
        if (!missing->measurement[i])
            continue;
        if (!measured->failed[i])
            missing->keys[kept++] = missing->keys[next];
        next++;
    }
    missing->count = kept;
}

/* The parameters for each digest of settings, of the results that did not fail, so that the digest can be
 * understood. */
static void add_parameters(json *j, const missing_parts *missing, const input_results *measured,
                           const run_params *input)
{
    json_open(j, "parameters", '{');
    for (int i = 0; i < input->measurements.count; i++) {
        char settings[24];
        text words = { 0 };
        if (!missing->measurement[i] || measured->failed[i])
            continue;
        snprintf(settings, sizeof settings, "0x%016" PRIx64, measurement_settings(run_measurements(input), i));
        measurement_add_text(&words, run_measurements(input), i);
        json_text(j, settings, text_string(&words));
        text_free(&words);
    }
    json_close(j);
}

typedef enum { FILE_MEASURED, FILE_SKIPPED, FILE_FAILED, MEASUREMENT_FAILED, RESULTS_FAILED } file_end;

/* Measure what is missing, and append what did not fail. */
static file_end measure_and_keep(measure_stream *s, const measured_file *file, const configuration_facts *facts,
                                 missing_parts *missing, const gauge *u, failure *f)
{
    const double began = clock_now();
    json j = { 0 };
    char stamp[32];
    const time_t now = time(NULL);
    struct tm parts;
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    input_results measured = { .failures = 0 };
    if (missing->any_measurement)
        measured = measure_input(s->request, file->path, facts, missing->measurement, u);
    leave_out_failed(missing, &measured);
    results_begin_line(&j, file, facts->digest, missing->keys, missing->count);
    measure_links_to_json(&j, s->request, &facts->info);
    if (facts->info.has_state) {
        json_hex(&j, "seed", facts->info.state.seed);
        json_int(&j, "stream", facts->info.state.stream);
    }
    observables_to_json(&j, &missing->set, u);
    if (missing->count > missing->observables) {
        measure_random_to_json(&j, s->request, facts);
        json_insert(&j, "measurements", &measured.results);
        add_parameters(&j, missing, &measured, s->request->input);
    }
    json_free(&measured.results);
    json_text(&j, "version", version_program());
    json_text(&j, "time", stamp);
    json_real(&j, "seconds", clock_now() - began);
    const bool ok = missing->count == 0 || results_append(s->r, &j, f);
    json_free(&j);
    return !ok ? RESULTS_FAILED : measured.failures > 0 ? MEASUREMENT_FAILED : FILE_MEASURED;
}

static file_end measure_file(measure_stream *s, const char *path, failure *f)
{
    configuration_facts facts = { .digest = 0 };
    measured_file file;
    text absolute;
    file_end end = FILE_FAILED;
    gauge *u = NULL;
    uint64_t links;
    if (inspect_file(&file, &absolute, &facts.info, path, f)) {
        const bool known = results_links_of(&links, s->r, &file);
        if (known && find_missing(s, &file, &facts.info, links).count == 0)
            end = FILE_SKIPPED;
        else
            u = measure_open(path, &facts, s->request, s->where, f);
    }
    if (u) {
        missing_parts missing = find_missing(s, &file, &facts.info, facts.digest);
        s->again += missing.again;
        end = FILE_SKIPPED;
        if (missing.count > 0)
            end = measure_and_keep(s, &file, &facts, &missing, u, f);
    }
    configuration_close(u);
    text_free(&absolute);
    return end;
}

/* ---- progress */

enum { BAR = 24 };
typedef struct { char s[BAR + 1]; } bar_text;

static bar_text bar_of(int part, int whole)
{
    bar_text bar;
    const int full = (int)((int64_t)BAR * part / whole);
    memset(bar.s, '-', BAR);
    memset(bar.s, '#', (size_t)full);
    bar.s[BAR] = '\0';
    return bar;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void show_progress(const measure_stream *s, const char *path, file_end end)
{
    static const char *const ends[] = { [FILE_MEASURED] = "measured", [FILE_SKIPPED] = "done before",
                                        [FILE_FAILED] = "FAILED", [MEASUREMENT_FAILED] = "FAILED",
                                        [RESULTS_FAILED] = "FAILED" };
    const int seen = s->done + s->skipped + s->failed;
    const double left = s->done ? (clock_now() - s->began) / s->done * (s->total - seen) : 0;
    log_progress("[%s] %d/%d  %.40s  %s  %.0f s, at most %.0f s left", bar_of(seen, s->total).s, seen, s->total,
                 name_of(path), ends[end], clock_now() - s->began, left);
}

static void print_summary(const measure_stream *s, const char *path, const char *stopped_by, bool as_json)
{
    const int left = s->total - s->done - s->skipped - s->failed;
    json j = { 0 };
    if (!as_json) {
        fprintf(result_stream(), "%s: %s: %d measured, %d done before, %d failed, %d left\n", path,
                count_to_text(s->total, "configuration").s, s->done, s->skipped, s->failed, left);
        return;
    }
    json_open(&j, NULL, '{');
    json_text(&j, "results", path);
    json_int(&j, "configurations", s->total);
    json_int(&j, "measured", s->done);
    json_int(&j, "done_before", s->skipped);
    json_int(&j, "failed", s->failed);
    json_int(&j, "left", left);
    json_text(&j, "stopped_by", stopped_by);
    json_close(&j);
    fprintf(result_stream(), "%s\n", json_string(&j));
    json_free(&j);
}

/* ---- all configurations */

/* False after a failure to write the results: the disk is full, for example. */
static bool measure_next(measure_stream *s, const char *path)
{
    failure f;
    const file_end end = measure_file(s, path, &f);
    s->done += end == FILE_MEASURED;
    s->skipped += end == FILE_SKIPPED;
    s->failed += end == FILE_FAILED || end == MEASUREMENT_FAILED || end == RESULTS_FAILED;
    if (end == FILE_FAILED || end == RESULTS_FAILED)
        log_line(LOG_ERROR, "%s", f.why);
    show_progress(s, path, end);
    return end != RESULTS_FAILED;
}

/* A name with two settings in one file: allowed, as readers keep them apart, but perhaps not intended. */
static void warn_of_other_settings(const results *r, const char *path, const run_params *input)
{
    for (int i = 0; input && i < input->measurements.count; i++) {
        const char *name = measurement_name(&input->measurements, i);
        const uint64_t settings = measurement_settings(run_measurements(input), i);
        uint64_t other;
        if (results_have_others(&other, r, name, settings))
            log_line(LOG_WARNING, "measurement %s: %s has results with other settings (0x%016" PRIx64 "); results with "
                                  "these settings (0x%016" PRIx64 ") are kept apart from them: give this measurement "
                                  "another name, or choose another file", name, path, other, settings);
    }
}

int measure_into_results(const char *path, const configuration_files *files, const measure_request *request,
                         place where, const volatile sig_atomic_t *stop, bool as_json)
{
    failure f;
    measure_stream s = { results_open(path, &f), .request = request, .where = where, .total = files->count,
                         .began = clock_now() };
    if (!s.r) {
        log_line(LOG_ERROR, "%s", f.why);
        return EXIT_FAILED;
    }
    warn_of_other_settings(s.r, path, request->input);
    const char *by = NULL;
    bool writable = true;
    for (int i = 0; i < files->count && writable && !by; i++)
        if (comm_any(comm_world(), *stop != 0))
            by = stop_signal_name();
        else
            writable = measure_next(&s, files->item[i]);
    log_progress_end();
    if (by)
        log_line(LOG_WARNING, "stopped by %s; the same command continues", by);
    if (s.again > 0)
        log_line(LOG_WARNING, "%s without the number of a trajectory %s the links of another one: each counts as a "
                              "separate configuration, as after a rejected trajectory; leave out copies",
                 count_to_text(s.again, "file").s, s.again > 1 ? "have" : "has");
    print_summary(&s, path, by, as_json);
    results_close(s.r);
    return s.failed > 0 || by ? EXIT_FAILED : EXIT_OK;
}
