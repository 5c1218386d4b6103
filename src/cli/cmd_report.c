/* cmd_report.c - kiln report: the results of an ensemble as one HTML page. */
#include "src/base/log.h"
#include "src/base/version.h"
#include "src/cli/subcommands.h"
#include "src/io/safe_file.h"
#include "src/options/options.h"
#include "src/report/report_html.h"
#include "src/report/report_observables.h"
#include "src/report/report_picture.h"
#include "src/report/report_plots.h"
#include "src/report/report_sections.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct { const char *output, *picture; int64_t from; } report_options;

static const usage report_usage = {
    .name = "report", .operands = "DIRECTORY", .least = 1, .most = 1,
    .about = "Writes DIRECTORY/report.html: a verdict, means with errors, histories, autocorrelations, forces,\n"
             "solves, time by phase, warnings, parameters.  The page is one self-contained file.  Every call replaces\n"
             "it, also while the run is active; no other file is ever overwritten.\n"
             "If parameters or record were changed after they were written, the page begins with this fault, and the\n"
             "exit status is 1.",
    .options = (const option[]){
        { .name = "output", .value = "FILE", .doc = "write the page to FILE; - is standard output",
          .type = OPTION_TEXT, .path = PATH_WRITE, .offset = offsetof(report_options, output) },
        { .name = "picture", .value = "FILE.svg",
          .doc = "write a picture with a figure of each section instead: history,\n" "dH, autocorrelation, dynamics",
          .type = OPTION_TEXT, .path = PATH_WRITE, .offset = offsetof(report_options, picture) },
        { .name = "from", .value = "N", .doc = "average from trajectory N on, but never over thermalization\n"
                                               "(default: all but thermalization)",
          .type = OPTION_INT, .offset = offsetof(report_options, from), .min = 1, .max = 4294967295.0 },
        { 0 } },
};

static void add_foot(report *r)
{
    char stamp[32];
    time_t now = time(NULL);
    struct tm parts;
    text words = { 0 };
    strftime(stamp, sizeof stamp, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &parts));
    text_add(&words, "Written by %s on %s.", version_program(), stamp);
    html_element(&r->out, "footer", text_string(&words));
    text_free(&words);
}

/* False with the reason if no trajectory is left from --from on. */
static bool has_trajectories_from(const run_view *v, int64_t from, failure *f)
{
    return v->history.count == 0 || from <= v->summary.last
           || fail(f, "%s: --from %" PRId64 ": expected at most %" PRId64 ", the last trajectory", v->directory, from,
                   v->summary.last);
}

/* The page of an ensemble; release it with text_free. */
static text make_page(const run_view *v)
{
    report r = { .v = v };
    html_begin(&r.out, v->folder.known ? v->folder.in.p.output.name : v->directory);
    report_head(&r);
    report_fault(&r);
    if (v->history.count > 0) {
        report_verdict(&r);
        report_numbers(&r);
        report_histories(&r);
        report_derived_quantities(&r);
        report_observables(&r);
        report_metropolis(&r);
        report_autocorrelations(&r);
        report_dynamics(&r);
        report_time(&r);
    } else {
        html_element(&r.out, "div class=\"verdict look\"", "No trajectory is complete yet.");
    }
    report_warnings(&r);
    report_segments(&r);
    report_files(&r);
    report_parameters(&r);
    add_foot(&r);
    html_end(&r.out);
    return r.out;
}

static bool write_page(const run_view *v, const char *output, failure *f)
{
    text page = make_page(v), path = { 0 };
    bool ok = true;
    if (output && strcmp(output, "-") == 0) {
        fputs(text_string(&page), stdout);
    } else {
        text_add(&path, output ? "%s" : "%s/report.html", output ? output : v->directory);
        ok = safe_file_renew_text(text_string(&path), text_string(&page), HTML_MARK, f);
        if (ok)
            log_line(LOG_INFO, "%s: %s", text_string(&path), bytes_to_text((double)page.length).s);
    }
    text_free(&page);
    text_free(&path);
    return ok;
}

/* The first figure of each section. */
static bool write_picture(const run_view *v, const char *path, failure *f)
{
    static void (*const sections[])(report *r) = { report_histories, report_metropolis, report_autocorrelations,
                                                   report_dynamics };
    report_picture picture = { 0 };
    report r = { .v = v, .picture = &picture };
    text out = { 0 }, title = { 0 };
    for (size_t i = 0; i < sizeof sections / sizeof *sections && v->history.count > 0; i++) {
        picture.plots_left = 1;
        sections[i](&r);
    }
    text_add(&title, "kiln report: %s, %s", v->folder.known ? v->folder.in.p.output.name : v->directory,
             nouns_to_text(v->history.count, "trajectory", "trajectories").s);
    report_picture_end(&out, &picture, text_string(&title));
    const bool ok = safe_file_renew_text(path, text_string(&out), SVG_MARK, f);
    text_free(&out);
    text_free(&title);
    text_free(&r.out);
    return ok;
}

int cmd_report(int argc, char **argv)
{
    report_options o = { 0 };
    operands folder;
    run_view v = { .command = report_usage.name };
    failure f;
    int status = options_read(&report_usage, argc, argv, &o, &folder);
    if (status != GO_ON)
        return status;
    if (o.output && o.picture)
        return usage_error(&report_usage, "give either --output or --picture");
    status = EXIT_OK;
    bool ok = run_view_read(&v, folder.item[0], o.from, &f) && has_trajectories_from(&v, o.from, &f);
    if (ok)
        run_view_check(&v);
    if (!ok || !(o.picture ? write_picture(&v, o.picture, &f) : write_page(&v, o.output, &f))) {
        log_line(LOG_ERROR, "%s", f.why);
        status = EXIT_FAILED;
    }
    if (v.history.damaged || v.faulty)
        status = EXIT_FAILED;
    run_view_free(&v);
    return status;
}
