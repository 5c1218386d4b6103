/* device_waits.c - waits of the host on the CUDA runtime. */
#include "gpu/device_waits.h"

#include <cuda_runtime_api.h>
#include <sched.h>
#include <stddef.h>

static _Thread_local device_watch *watches;      /* a list */

void device_watch_begin(device_watch *w)
{
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

/* Whether the work that was asked about is not done; then all have looked. */
static bool is_going_on(cudaError_t status)
{
    if (status != cudaErrorNotReady)
        return false;
    cudaGetLastError();                              /* it is no error of the next launch */
    for (device_watch *w = watches; w; w = w->next)
        w->look(w->context);
    sched_yield();
    return true;
}

int device_wait_for_stream(void *stream)
{
    cudaError_t status;
    if (!watches)
        return cudaStreamSynchronize(stream);
    while (is_going_on(status = cudaStreamQuery(stream))) {}
    return status;
}

int device_wait_for_event(void *event)
{
    cudaError_t status;
    if (!watches)
        return cudaEventSynchronize(event);
    while (is_going_on(status = cudaEventQuery(event))) {}
    return status;
}
