/* device_loop.h - work that the device repeats while a number in its memory is not 0, without the host.
 *
 * Kernels launched between _begin and _end are recorded, not run; _run then repeats them, in order, until *going is 0
 * after a complete pass.  If driver and runtime support loops in graphs (CUDA 12.4), the device decides, and _run
 * returns at once; else the host launches passes until it has seen that the number is 0.  Passes that it has launched
 * ahead then find *going 0 and must do nothing. */
#ifndef KILN_GPU_DEVICE_LOOP_H
#define KILN_GPU_DEVICE_LOOP_H

#include <stdbool.h>

typedef struct device_loop device_loop;

/* Whether the device can decide.  KILN_LOOPS=host in the environment makes it false, for drivers with faulty graphs. */
bool device_decides_loops(void);

/* `going` is in device memory; `decides`: the device decides, which needs device_decides_loops(). */
device_loop *device_loop_begin(const int *going, bool decides);
void device_loop_end(device_loop *l);
void device_loop_run(device_loop *l);
void device_loop_free(device_loop *l);

#endif
