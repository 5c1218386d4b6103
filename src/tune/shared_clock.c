/* shared_clock.c - the clock and the signals of all ranks. */
#include "src/tune/shared_clock.h"

#include "gpu/device.h"
#include "src/base/clock.h"
#include "src/comm/comm.h"

double shared_clock_now(void)
{
    device_wait();
    return comm_number(comm_world(), clock_now());
}

double shared_clock_seconds(double mine)
{
    return comm_number(comm_world(), mine);
}

bool shared_clock_stop(const run_limits *limits)
{
    return comm_any(comm_world(), limits && *limits->stop);
}

bool shared_clock_goes_on(const run_limits *limits, const char *why, failure *f)
{
    return !shared_clock_stop(limits) || run_limits_fail(limits, f, why);
}
