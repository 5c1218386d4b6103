/* progress_tick.c - calls of a listener, limited in number. */
#include "src/base/progress_tick.h"

#include <stddef.h>
#include <time.h>

static _Thread_local struct { progress_listener *call; void *of; double last; progress_part part; } listening;

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_listen(progress_listener *listener, void *of)
{
    listening.call = listener;
    listening.of = of;
    listening.last = 0;
}

void progress_tick(void)
{
    if (!listening.call)
        return;
    const double now = seconds_now();
    if (now - listening.last < PROGRESS_PAUSE)
        return;
    listening.last = now;
    listening.call(listening.of);
}

void progress_set_part(int64_t number, int64_t all)
{
    listening.part = (progress_part){ number, all };
    progress_tick();
}

progress_part progress_part_now(void)
{
    return listening.part;
}
