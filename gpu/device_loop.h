/* device_loop.h - work on the device that is repeated while a number there says so, without the host.
 *
 * Between _begin and _end kernels are noted instead of run; _run then repeats them, in order, until *going is 0 after
 * a whole pass, and returns at once.  Where driver and runtime have loops inside of graphs (CUDA 12.4) the device
 * decides; else passes are sent off until the host has seen the number, so that some passes, always equally many,
 * follow the last one: kernels are to do nothing then, when *going is 0. */
#ifndef KILN_GPU_DEVICE_LOOP_H
#define KILN_GPU_DEVICE_LOOP_H

#include <stdbool.h>

typedef struct device_loop device_loop;

/* Not where the environment says KILN_LOOPS=host: should a driver have trouble with such graphs. */
bool device_decides_loops(void);

/* `going` is on the device; `decides`: by the device, which must be able to. */
device_loop *device_loop_begin(const int *going, bool decides);
void device_loop_end(device_loop *l);
void device_loop_run(device_loop *l);
void device_loop_free(device_loop *l);

#endif
