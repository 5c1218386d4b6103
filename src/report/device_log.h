/* device_log.h - the devices that made the trajectories of a run: the lines of run.log that name the program, each
 * before the lines of its trajectories.
 *
 * The times of a record are those of its devices.  Machines of one kind count as one device: neither the name of the
 * host nor the number of a GPU in it is part of the name. */
#ifndef KILN_REPORT_DEVICE_LOG_H
#define KILN_REPORT_DEVICE_LOG_H

#include "src/base/text.h"

#include <stdint.h>

/* The device from trajectory `first` on: "CPU, 4 threads, 1 rank", "NVIDIA H200, 2 ranks". */
typedef struct { int64_t first; text name; } device_span;
typedef struct { int count; device_span *item; } device_log;

/* Neighbors are different devices.  Empty without a log; trajectories of versions that did not log the program are in
 * no span.  Release it with device_log_free. */
device_log device_log_read(const char *directory);
void device_log_free(device_log *l);

#endif
