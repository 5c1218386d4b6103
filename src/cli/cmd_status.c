/* cmd_status.c - kiln status: how an ensemble fares, from its record. */
#include "src/base/log.h"
#include "src/cli/options.h"
#include "src/cli/subcommands.h"
#include "src/report/run_view.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct { bool json; int64_t from; } status_options;

static const usage status_usage = {
    .name = "status", .operands = "DIRECTORY", .least = 1, .most = 1,
    .about = "Tells how the ensemble in DIRECTORY fares: acceptance, <exp(-dH)>, plaquette, measurements, cost, time\n"
             "by phase, and what in its record needs a look.\n"
             "Errors and integrated autocorrelation times, in trajectories, are those of the Gamma method\n"
             "(U. Wolff, hep-lat/0306017).  Equilibrium is taken to begin where leaving out more at the beginning\n"
             "would make the plaquette's and the slowest measurement's errors larger (MSER), if the means of both\n"
             "halves of what follows agree.  Where parameters or record are not what was written the page begins with\n"
             "that, and the status is 1.",
    .options = (const option[]){ { "from", "N", "means of the trajectories from N on (default: all but thermalization)",
                                   OPTION_INT, offsetof(status_options, from), false, 1, 4294967295.0, NULL, NULL },
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

/* A torn last line is what a stop in the middle of writing leaves; the next run cuts it off. */
static void tell_damage(const run_view *v)
{
    const run_history *h = &v->history;
    if (!v->folder.known)
        log_line(LOG_WARNING, "%s", text_string(&v->folder.why));
    if (h->torn)
        log_line(LOG_WARNING, "%s/run.jsonl: the last line is not complete; left out", v->directory);
    if (h->damaged > 0)
        log_line(LOG_ERROR, "%s/run.jsonl: %" PRId64 " of the lines, line %" PRId64 " the first, cannot be read; left "
                 "out", v->directory, h->damaged, h->first_damaged);
}

int cmd_status(int argc, char **argv)
{
    status_options o = { 0 };
    operands folder;
    run_view v = { 0 };
    failure f;
    int status = options_read(&status_usage, argc, argv, &o, &folder);
    if (status != GO_ON)
        return status;
    if (run_view_read(&v, folder.item[0], o.from, &f)) {
        run_view_check(&v);
        tell_damage(&v);
        (o.json ? print_json : run_view_print)(&v);
        status = v.history.damaged || v.faulty ? EXIT_FAILED : EXIT_OK;
    } else {
        log_line(LOG_ERROR, "%s", f.why);
        status = EXIT_FAILED;
    }
    run_view_free(&v);
    return status;
}
