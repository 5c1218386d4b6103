/* cmd_status.c - kiln status: how an ensemble fares, from its record. */
#include "src/base/json.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/cli/options.h"
#include "src/cli/run_summary.h"
#include "src/cli/subcommands.h"
#include "src/hmc/ensemble_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct { bool json; } status_options;

static const usage status_usage = {
    .name = "status", .operands = "DIRECTORY", .least = 1, .most = 1,
    .about = "Tells how the ensemble in DIRECTORY fares: trajectories, acceptance, <exp(-dH)>, mean plaquette, time,\n"
             "and what its measurements found: means and last values.\n"
             "Errors take trajectories as independent: autocorrelation makes the true ones larger.",
    .options = (const option[]){ JSON_OPTION(status_options, json), { 0 } },
};

/* What lies in the folder beside the record. */
typedef struct {
    bool known;                    /* whether parameters.yaml could be read; else nothing below is set but running */
    int64_t target;                /* trajectories wanted */
    text newest[2];                /* path of the newest file of each state_file_kind; "" if none */
    bool running;
} folder_state;

static text path_in(const char *directory, const char *name)
{
    text path = { 0 };
    text_add(&path, "%s/%s", directory, name);
    return path;
}

/* Asking means holding the lock, shared, for an instant. */
static bool is_locked(const char *directory)
{
    text path = path_in(directory, "lock");
    int lock = open(text_string(&path), O_RDONLY | O_CLOEXEC);
    text_free(&path);
    bool locked = lock >= 0 && flock(lock, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (lock >= 0)
        close(lock);
    return locked;
}

static void look_at_folder(folder_state *s, const char *directory)
{
    text path = path_in(directory, "parameters.yaml");
    fault_list faults = { 0 };
    run_input in;
    s->running = is_locked(directory);
    s->known = run_input_read(&in, text_string(&path), NULL, 0, &faults);
    if (s->known) {
        /* The ensemble may have been moved: its files are where its parameters are. */
        memory_free(in.p.output.directory);
        in.p.output.directory = memory_alloc(strlen(directory) + 1, "the name of a folder");
        memcpy(in.p.output.directory, directory, strlen(directory));
        s->target = in.p.hmc.trajectories;
        state_files files = state_files_list(&in.p);
        for (int i = files.count - 1; i >= 0; i--) {           /* newest first */
            text *newest = &s->newest[files.file[i].kind];
            text_clear(newest);
            text_add(newest, "%s", files.file[i].path);
        }
        state_files_free(&files);
    } else {
        log_line(LOG_WARNING, "%.*s", (int)faults.lines.length - 1, text_string(&faults.lines));
    }
    run_input_free(&in);
    fault_list_free(&faults);
    text_free(&path);
}

static void mean_to_json(json *j, const char *key, const naive_mean *m)
{
    json_open(j, key, '{');
    json_real(j, "value", m->value);
    json_real(j, "error", m->error);
    json_close(j);
}

static void measured_to_json(json *j, const run_summary *r)
{
    json_open(j, "measurements", '{');
    for (int i = 0; i < r->measured_count; i++) {
        const measured_value *m = &r->measured[i];
        json_open(j, m->title, '{');
        json_real(j, "value", m->mean.value);
        json_real(j, "error", m->mean.error);
        json_real(j, "last", m->last);
        json_int(j, "count", m->count);
        json_close(j);
    }
    json_close(j);
}

static void print_json(const char *directory, const run_summary *r, const folder_state *s)
{
    json j = { 0 };
    json_open(&j, NULL, '{');
    json_text(&j, "directory", directory);
    json_bool(&j, "running", s->running);
    json_int(&j, "trajectories", r->trajectories);
    json_int(&j, "last_trajectory", r->last);
    if (s->known)
        json_int(&j, "target", s->target);
    else
        json_text(&j, "target", NULL);
    json_int(&j, "thermalization", r->warm_up);
    json_int(&j, "accepted", r->accepted);
    mean_to_json(&j, "acceptance", &r->acceptance);
    mean_to_json(&j, "exp_minus_dH", &r->exp_minus_dh);
    mean_to_json(&j, "dH", &r->dh);
    mean_to_json(&j, "plaquette", &r->plaquette);
    mean_to_json(&j, "seconds", &r->seconds);
    measured_to_json(&j, r);
    json_text(&j, "errors", "naive: trajectories taken as independent");
    json_text(&j, "newest_configuration", s->newest[FILE_CONFIGURATION].s);
    json_text(&j, "newest_checkpoint", s->newest[FILE_CHECKPOINT].s);
    json_bool(&j, "torn_last_line", r->torn);
    json_int(&j, "damaged_lines", r->damaged);
    json_close(&j);
    puts(json_string(&j));
    json_free(&j);
}

static void print_mean(const char *title, const naive_mean *m, const char *unit)
{
    printf("  %-16s ", title);
    if (m->n == 0)
        printf("no trajectory yet\n");
    else if (m->n == 1)
        printf("%.6g%s (one value)\n", m->value, unit);
    else
        printf("%.6g +- %.2g%s\n", m->value, m->error, unit);
}

/* One line each: mean and error where there are any, the last value, how often it was measured. */
static void print_measured(const measured_value *m)
{
    printf("  %-26s ", m->title);
    if (m->mean.n > 1)
        printf("%.6g +- %.2g, ", m->mean.value, m->mean.error);
    printf("last ");
    if (isfinite(m->last))
        printf("%.6g", m->last);
    else
        printf("none");
    printf(" (%" PRId64 ")\n", m->count);
}

static void print_text(const char *directory, const run_summary *r, const folder_state *s)
{
    printf("%s: %s\n", directory, s->running ? "a process works here" : "no process works here");
    printf("  %-16s %" PRId64, "trajectories", r->trajectories);
    if (s->known)
        printf(" of %" PRId64, s->target);
    if (r->warm_up > 0)
        printf(", %" PRId64 " of them warm-up", r->warm_up);
    printf("\n");
    print_mean("acceptance", &r->acceptance, "");
    print_mean("<exp(-dH)>", &r->exp_minus_dh, "");
    print_mean("<dH>", &r->dh, "");
    print_mean("plaquette", &r->plaquette, "");
    print_mean("time", &r->seconds, " s a trajectory");
    for (int i = 0; i < r->measured_count; i++)
        print_measured(&r->measured[i]);
    printf("  (means without the warm-up, time with it; the errors ignore autocorrelation)\n");
    if (s->known) {
        printf("  %-16s %s\n", "configuration",
               s->newest[FILE_CONFIGURATION].length ? text_string(&s->newest[FILE_CONFIGURATION]) : "none yet");
        printf("  %-16s %s\n", "checkpoint",
               s->newest[FILE_CHECKPOINT].length ? text_string(&s->newest[FILE_CHECKPOINT]) : "none");
    }
}

/* A torn last line is what a stop in the middle of writing leaves; the next run cuts it off. */
static void tell_damage(const char *path, const run_summary *r)
{
    if (r->torn)
        log_line(LOG_WARNING, "%s: the last line is not complete; left out", path);
    if (r->damaged > 0)
        log_line(LOG_ERROR, "%s: %" PRId64 " of the lines, line %" PRId64 " the first, cannot be read; left out", path,
                 r->damaged, r->first_damaged);
}

static bool is_folder(const char *path, failure *f)
{
    struct stat what;
    errno = 0;
    if (stat(path, &what) != 0)
        return fail(f, "%s: %s", path, strerror(errno));
    return S_ISDIR(what.st_mode) || fail(f, "%s: is not a folder", path);
}

/* A run that has not ended its first trajectory has no record yet; but a folder without parameters is no ensemble. */
static bool read_record(run_summary *r, const char *directory, const char *path, failure *f)
{
    text parameters = path_in(directory, "parameters.yaml");
    bool begun = access(path, F_OK) == 0, ensemble = access(text_string(&parameters), F_OK) == 0;
    text_free(&parameters);
    if (!begun && ensemble) {
        *r = (run_summary){ .acceptance = { 0, NAN, NAN }, .exp_minus_dh = { 0, NAN, NAN }, .dh = { 0, NAN, NAN },
                            .plaquette = { 0, NAN, NAN }, .seconds = { 0, NAN, NAN } };
        return true;
    }
    return is_folder(directory, f) && run_summary_read(r, path, f);
}

int cmd_status(int argc, char **argv)
{
    status_options o = { 0 };
    operands folder;
    run_summary r;
    folder_state s = { 0 };
    failure f;
    int status = options_read(&status_usage, argc, argv, &o, &folder);
    if (status != GO_ON)
        return status;
    const char *directory = folder.item[0];
    text path = path_in(directory, "run.jsonl");
    if (read_record(&r, directory, text_string(&path), &f)) {
        look_at_folder(&s, directory);
        tell_damage(text_string(&path), &r);
        if (o.json)
            print_json(directory, &r, &s);
        else
            print_text(directory, &r, &s);
        status = r.damaged ? EXIT_FAILED : EXIT_OK;
    } else {
        log_line(LOG_ERROR, "%s", f.why);
        status = EXIT_FAILED;
    }
    text_free(&s.newest[0]);
    text_free(&s.newest[1]);
    text_free(&path);
    return status;
}
