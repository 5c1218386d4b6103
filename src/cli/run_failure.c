/* run_failure.c - the lines of the log after the reason of a failure. */
#include "src/cli/run_failure.h"

#include "src/base/log.h"
#include "src/ensemble/write_remedy.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

void run_failure_log_opening(const char *directory, bool fresh, const failure *why)
{
    text remedy = { 0 };
    log_line(LOG_ERROR, "%s", why->why);
    if (write_remedy_add(&remedy, directory, why) && strstr(why->why, directory))
        log_line(LOG_ERROR, "stopped before the first %s; no trajectory is lost: %s, then the same command %s",
                 fresh ? "checkpoint" : "step", text_string(&remedy),
                 fresh ? "begins again with the start links" : "continues the run");
    text_free(&remedy);
}

/* " (trajectories 5 to 7 are lost, and will be generated again, with the same bits)" */
static void add_loss(text *out, const run_failure *r, bool same_bits)
{
    if (r->reached <= r->newest)
        return;
    if (*r->within)
        text_add(out, " (what followed is");
    else if (r->reached == r->newest + 1)
        text_add(out, " (trajectory %" PRId64 " is", r->reached);
    else
        text_add(out, " (trajectories %" PRId64 " to %" PRId64 " are", r->newest + 1, r->reached);
    text_add(out, " lost, and will be generated again%s)", same_bits ? ", with the same bits" : "");
}

void run_failure_log(const run_failure *r, const failure *why)
{
    text loss = { 0 }, remedy = { 0 };
    log_line(LOG_ERROR, "%s", why->why);
    add_loss(&loss, r, why->error != EEXIST);
    write_remedy_add(&remedy, r->directory, why);
    if (r->has_state)
        log_line(LOG_ERROR, "stopped; the newest valid state is intact, after trajectory %" PRId64 "%s%s: %s, then the "
                            "same command continues the run",
                 r->newest, r->within, text_string(&loss), text_string(&remedy));
    else
        log_line(LOG_ERROR, "stopped after trajectory %" PRId64 "; the newest state is no longer in %s: its files "
                            "were removed or moved; put them back, else the same command starts the ensemble "
                            "again", r->reached, r->directory);
    text_free(&loss);
    text_free(&remedy);
}
