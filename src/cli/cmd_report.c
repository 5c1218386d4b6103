/* cmd_report.c - kiln report: all that is known of an ensemble as one page in HTML. */
#include "src/base/log.h"
#include "src/base/version.h"
#include "src/cli/options.h"
#include "src/cli/subcommands.h"
#include "src/io/safe_file.h"
#include "src/report/report_html.h"
#include "src/report/report_plots.h"
#include "src/report/report_sections.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct { const char *output; int64_t from; } report_options;

static const usage report_usage = {
    .name = "report", .operands = "DIRECTORY", .least = 1, .most = 1,
    .about = "Writes DIRECTORY/report.html: a verdict, means with errors, histories, autocorrelations, forces,\n"
             "solves, time by phase, what needs a look, parameters.  One file that needs no other, for light and dark\n"
             "screens, wide and narrow ones; it is written anew by every call, also while the run goes on.\n"
             "No other file is ever overwritten.  Where parameters or record are not what was written the page begins\n"
             "with that, and the status is 1.",
    .options = (const option[]){
        { "output", "FILE", "write there; - is standard output", OPTION_TEXT, offsetof(report_options, output), false,
          0, 0, NULL, NULL },
        { "from", "N", "means of the trajectories from N on (default: all but thermalization)", OPTION_INT,
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

/* The page of an ensemble; to be freed with text_free. */
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
        report_metropolis(&r);
        report_autocorrelations(&r);
        report_dynamics(&r);
        report_time(&r);
    } else {
        html_element(&r.out, "div class=\"verdict look\"", "There is no trajectory yet.");
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
