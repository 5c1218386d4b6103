/* progress_tick.c - calls of a listener, limited in number. */
#include "src/base/progress_tick.h"

#include "src/base/clock_now.h"

#include <stdlib.h>

static _Thread_local struct { progress_listener *call; void *of; double pause, last; progress_part part; } listening;

static double pause_seconds(void)
{
    const char *given = getenv("KILN_PROGRESS_PAUSE");
    char *end = NULL;
    const double seconds = given ? strtod(given, &end) : 0;
    return given && end != given && *end == 0 && seconds >= 0 ? seconds : PROGRESS_PAUSE;
}

void progress_listen(progress_listener *listener, void *of)
{
    listening.call = listener;
    listening.of = of;
    listening.pause = pause_seconds();
    listening.last = 0;
}

void progress_tick(void)
{
    if (!listening.call)
        return;
    const double now = clock_now();
    if (now - listening.last < listening.pause)
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
