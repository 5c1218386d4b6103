/* cmd_status.c - kiln status: progress and results of an ensemble, from its record. */
#include "src/base/log.h"
#include "src/cli/subcommands.h"
#include "src/cli/terminal.h"
#include "src/options/options.h"
#include "src/report/history_plot.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct { bool json, concise, plot; int64_t from; } status_options;

static const usage status_usage = {
    .name = "status", .operands = "DIRECTORY", .least = 1, .most = 1,
    .about = "Prints the state of the ensemble in DIRECTORY: progress, acceptance, <exp(-dH)>, plaquette,\n"
             "measurements, cost, time by phase, and warnings.\n"
             "Errors and integrated autocorrelation times (in trajectories) come from the Gamma method (U. Wolff,\n"
             "hep-lat/0306017).  Equilibrium begins at the trajectory that minimizes the errors of the plaquette and\n"
             "of the slowest measurement (MSER), provided that the means of both halves of the rest agree.\n"
             "If the last process was killed, the page begins with its name, the newest checkpoint, and a command\n"
             "that continues the run; if the run failed, with the reason and what to do.\n"
             "If parameters or record were changed after they were written, the page begins with this fault, and the\n"
             "exit status is 1.",
    .options = (const option[]){ { .name = "from", .value = "N",
                                   .doc = "average from trajectory N on, but never over thermalization\n"
                                          "(default: all but thermalization)",
                                   .type = OPTION_INT, .offset = offsetof(status_options, from), .min = 1,
                                   .max = 4294967295.0 },
                                 { .name = "concise", .doc = "means as 0.5919(18) in place of 0.5919 +- 0.0018",
                                   .type = OPTION_FLAG, .offset = offsetof(status_options, concise) },
                                 { .name = "plot", .doc = "then the histories of plaquette and dH, in characters",
                                   .type = OPTION_FLAG, .offset = offsetof(status_options, plot) },
                                 JSON_OPTION(status_options, json), { 0 } },
};

static void print_json(const run_view *v)
{
    json j = { 0 };
    json_open(&j, NULL, '{');
    run_view_to_json(v, &j);
    json_close(&j);
    puts(json_string(&j));
    json_free(&j);
}

static void print_page(const run_view *v, const status_options *o)
{
    run_view_print(v, o->concise);
    if (o->plot)
        history_plots_print(v, terminal_size_now().width, terminal_has_unicode());
}

/* A stop during a write leaves an incomplete last line; the next run removes it. */
static void report_damage(const run_view *v)
{
    const run_history *h = &v->history;
    if (!v->folder.known)
        log_line(LOG_WARNING, "%s", text_string(&v->folder.why));
    if (h->torn)
        log_line(LOG_WARNING, "%s/run.jsonl: the last line is incomplete; ignored", v->directory);
    if (h->damaged > 0)
        log_line(LOG_ERROR, "%s/run.jsonl: %s cannot be read, the first is line %" PRId64 "; ignored", v->directory,
                 count_to_text(h->damaged, "line").s, h->first_damaged);
}

int cmd_status(int argc, char **argv)
{
    status_options o = { 0 };
    operands folder;
    run_view v = { .command = status_usage.name };
    failure f;
    int status = options_read(&status_usage, argc, argv, &o, &folder);
    if (status != GO_ON)
        return status;
    if (run_view_read(&v, folder.item[0], o.from, &f)) {
        run_view_check(&v);
        report_damage(&v);
        if (o.json)
            print_json(&v);
        else
            print_page(&v, &o);
        status = v.history.damaged || v.faulty ? EXIT_FAILED : EXIT_OK;
    } else {
        log_line(LOG_ERROR, "%s", f.why);
        status = EXIT_FAILED;
    }
    run_view_free(&v);
    return status;
}
