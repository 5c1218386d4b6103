/* progress_tick.c - calls of a listener, limited in number. */
#include "src/base/progress_tick.h"

#include "src/base/clock_now.h"

#include <stddef.h>

static _Thread_local struct { progress_listener *call; void *of; double last; progress_part part; } listening;

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
    const double now = clock_now();
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
