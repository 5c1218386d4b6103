/* start_limits.c - signals and time limits of kiln plan and kiln tune. */
#include "src/cli/start_limits.h"

#include "src/base/json.h"
#include "src/base/log.h"
#include "src/cli/stop_signals.h"
#include "src/comm/comm.h"

#include <math.h>
#include <stdio.h>

walltime time_limit_begin(double seconds, const char *option)
{
    double left = isnan(seconds) ? INFINITY : seconds;
    const char *source = isnan(seconds) ? walltime_of_scheduler(&left) : option;
    if (source)
        log_line(LOG_INFO, "time limit from %s: %.0f s left", source, left);
    return walltime_begin(left);
}

void start_limits_begin(start_limits *s, const volatile sig_atomic_t *stop, double seconds, const char *option)
{
    *s = (start_limits){ .by = isnan(seconds) ? BY_WALLTIME : option };
    s->limits = (run_limits){ .stop = stop, .time = time_limit_begin(seconds, option), .stopped = &s->stopped };
}

bool start_limits_report(const start_limits *s, const char *why, bool as_json)
{
    if (!s->stopped)
        return false;
    const char *signal = stop_signal_name(), *by = signal ? signal : s->by;
    log_line(LOG_WARNING, "%s (by %s)", why, by);
    if (as_json && comm_is_root(comm_world())) {
        json j = { 0 };
        json_open(&j, NULL, '{');
        json_text(&j, "end", "stopped");
        json_text(&j, "by", by);
        json_text(&j, "reason", why);
        json_close(&j);
        puts(json_string(&j));
        json_free(&j);
    }
    return true;
}
