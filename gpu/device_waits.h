/* device_waits.h - waits of the host for the GPU, and those who look meanwhile whether they will come to an end.
 *
 * Without a watch the host rests in the driver.  With one it calls `look` again and again, which ends the program where
 * a wait would last for ever. */
#ifndef KILN_GPU_DEVICE_WAITS_H
#define KILN_GPU_DEVICE_WAITS_H

#include <stdbool.h>

/* Of this thread; the memory is the caller's until device_watch_end. */
typedef struct device_watch { void (*look)(void *context); void *context; struct device_watch *next; } device_watch;
void device_watch_begin(device_watch *w);
void device_watch_end(device_watch *w);
bool device_is_watched(void);

/* Until the work on a cudaStream_t or before a cudaEvent_t is done.  Returns a cudaError_t. */
int device_wait_for_stream(void *stream);
int device_wait_for_event(void *event);

#endif
