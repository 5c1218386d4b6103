/* device_waits.h - waits of the host for the GPU, and watches, which end a wait that would never end.
 *
 * Without a watch the host waits inside the driver.  With a watch it polls the GPU, and sleeps in between, which leaves
 * its core to other threads.  Every millisecond it calls `check` of each watch with the seconds that this wait has
 * lasted; `check` may end the program. */
#ifndef KILN_GPU_DEVICE_WAITS_H
#define KILN_GPU_DEVICE_WAITS_H

#include <stdbool.h>

/* A watch of this thread.  The caller owns it and must keep it until device_watch_end. */
typedef struct device_watch {
    void (*check)(void *context, double waited);
    void *context;
    struct device_watch *next;
} device_watch;
void device_watch_begin(device_watch *w);
void device_watch_end(device_watch *w);
bool device_is_watched(void);

/* Wait until the work on a cudaStream_t, or before a cudaEvent_t, is done.  Return a cudaError_t. */
int device_wait_for_stream(void *stream);
int device_wait_for_event(void *event);

/* Pinned memory of this thread for small copies from the GPU: the driver does not stage them, and the host waits in
 * device_wait alone. */
enum { DEVICE_MAILBOX = 1 << 16 };         /* bytes */
void *device_mailbox(void);

#endif
