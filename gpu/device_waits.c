/* device_waits.c - waits of the host on the CUDA runtime. */
#include "gpu/device_waits.h"

#include "src/base/clock.h"

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <time.h>

static _Thread_local device_watch *watches;      /* a list */

/* Linux may end a sleep of a thread this much later than requested, to wake several threads at once; its default is
 * 50 us. */
#define SLACK_NS 1000ul

void device_watch_begin(device_watch *w)
{
    prctl(PR_SET_TIMERSLACK, SLACK_NS, 0ul, 0ul, 0ul);       /* of this thread */
    w->next = watches;
    watches = w;
}

void device_watch_end(device_watch *w)
{
    device_watch **at = &watches;
    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
}

bool device_is_watched(void)
{
    return watches != NULL;
}

/* A wait of the host: it polls, at first without sleep, later with sleep, and calls the watches.  It does not yield its
 * core in between: where other programs keep all cores busy, it would get the core back only after milliseconds. */
#define BUSY_SECONDS 2e-5
#define POLL_SECONDS 1e-3
enum { SLEEP_NS = 20000 };
typedef struct { double begun, looked; } host_wait;

static void rest(host_wait *w)
{
    const double now = clock_now();
    if (w->begun == 0)
        w->begun = w->looked = now;
    if (now - w->looked > POLL_SECONDS) {
        for (device_watch *of = watches; of; of = of->next)
            of->check(of->context, now - w->begun);
        w->looked = now;
    }
    if (now - w->begun >= BUSY_SECONDS)
        nanosleep(&(struct timespec){ .tv_nsec = SLEEP_NS }, NULL);
}

/* Whether the work is not yet done; if so, pauses. */
static bool is_going_on(cudaError_t status, host_wait *w)
{
    if (status != cudaErrorNotReady)
        return false;
    cudaGetLastError();                              /* not an error of the next launch */
    rest(w);
    return true;
}

int device_wait_for_stream(void *stream)
{
    cudaError_t status;
    host_wait w = { 0 };
    if (!watches)
        return cudaStreamSynchronize(stream);
    while (is_going_on(status = cudaStreamQuery(stream), &w)) {}
    return status;
}

int device_wait_for_event(void *event)
{
    cudaError_t status;
    host_wait w = { 0 };
    if (!watches)
        return cudaEventSynchronize(event);
    while (is_going_on(status = cudaEventQuery(event), &w)) {}
    return status;
}
