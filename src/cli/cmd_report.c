/* cmd_report.c - kiln report: the results of an ensemble as one HTML page. */
#include "src/base/log.h"
#include "src/base/version.h"
#include "src/cli/options.h"
#include "src/cli/subcommands.h"
#include "src/io/safe_file.h"
#include "src/report/report_html.h"
#include "src/report/report_observables.h"
#include "src/report/report_plots.h"
#include "src/report/report_sections.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct { const char *output; int64_t from; } report_options;

static const usage report_usage = {
    .name = "report", .operands = "DIRECTORY", .least = 1, .most = 1,
    .about = "Writes DIRECTORY/report.html: a verdict, means with errors, histories, autocorrelations, forces,\n"
             "solves, time by phase, warnings, parameters.  The page is one self-contained file.  Every call replaces\n"
             "it, also while the run is active; no other file is ever overwritten.\n"
             "If parameters or record were changed after they were written, the page begins with this fault, and the\n"
             "exit status is 1.",
    .options = (const option[]){
        { "output", "FILE", "write the page to FILE; - is standard output", OPTION_TEXT,
          offsetof(report_options, output), false, 0, 0, NULL, NULL },
        { "from", "N", "average from trajectory N on (default: all but thermalization)", OPTION_INT,
          offsetof(report_options, from), false, 1, 4294967295.0, NULL, NULL },
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

int cmd_report(int argc, char **argv)
{
    report_options o = { 0 };
    operands folder;
    run_view v = { 0 };
    failure f;
    int status = options_read(&report_usage, argc, argv, &o, &folder);
    if (status != GO_ON)
        return status;
    status = EXIT_OK;
    bool ok = run_view_read(&v, folder.item[0], o.from, &f);
    if (ok)
        run_view_check(&v);
    if (!ok || !write_page(&v, o.output, &f)) {
        log_line(LOG_ERROR, "%s", f.why);
        status = EXIT_FAILED;
    }
    if (v.history.damaged || v.faulty)
        status = EXIT_FAILED;
    run_view_free(&v);
    return status;
}
