/* device_waits.h - waits of the host for the GPU, and the watches that end a wait which would last for ever.
 *
 * Without a watch the host waits inside the driver.  With one it asks the GPU again and again, and sleeps in between:
 * it leaves its core to others.  From time to time it calls `look` with the seconds that this wait has lasted. */
#ifndef KILN_GPU_DEVICE_WAITS_H
#define KILN_GPU_DEVICE_WAITS_H

#include <stdbool.h>

/* Of this thread; the memory is the caller's until device_watch_end. */
typedef struct device_watch {
    void (*look)(void *context, double waited);
    void *context;
    struct device_watch *next;
} device_watch;
void device_watch_begin(device_watch *w);
void device_watch_end(device_watch *w);
bool device_is_watched(void);

/* Until the work on a cudaStream_t or before a cudaEvent_t is done.  Returns a cudaError_t. */
int device_wait_for_stream(void *stream);
int device_wait_for_event(void *event);

#endif
