/* device.h - the GPU as C sees it: memory, copies, one stream, events.
 *
 * device.c uses the CUDA runtime; device_none.c, linked if there is no CUDA, has no device to offer.  An error of the
 * runtime ends the program, because no caller could continue; the message has the call, the reason and, for memory, its
 * purpose and size.  Functions that return bool or take a failure report instead that a device cannot be used.
 *
 * All work goes to one stream, in order, but for work on the side stream (device_side_begin).  Copies between host and
 * device wait for the stream, except device_push.  They are counted, so that a run can show that only scalars are
 * copied during a trajectory. */
#ifndef KILN_GPU_DEVICE_H
#define KILN_GPU_DEVICE_H

#include "src/base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Number of usable devices; if 0, `f` has the reason. */
int device_count(failure *f);
bool device_is_built(void);                      /* whether this program can use GPUs at all */

typedef struct {
    char   name[256], bus[32];               /* bus: "0000:1b:00.0", identifies one of several equal GPUs */
    int    compute_major, compute_minor;     /* 9, 0 on an H200 */
    int    multiprocessors;
    size_t memory_bytes, free_bytes, l2_bytes;
} device_description;
bool device_describe(int index, device_description *d, failure *f);

/* Versions as "13.0"; "" if there is none. */
const char *device_runtime_version(void);
const char *device_driver_version(void);

/* Opens device `index` for all further work; later calls must name the same device. */
bool device_open(int index, failure *f);
int  device_index(void);            /* of the open device; 0 before */

/* For tests, and slower: declares that other ranks use the open device too, with kernels that wait for kernels of this
 * rank.  A GPU runs kernels at the same time only if they divide L1 cache and shared memory alike; so from now on all
 * kernels of this rank prefer the largest shared memory. */
void device_share_with_ranks(void);
bool device_is_shared(void);

/* Lets kernels of the open device access the memory of other devices of this process.  False with the reason. */
bool device_reach(const int *device, int count, failure *f);

/* Zeroed device memory for the purpose `what`, never NULL: if memory is short, the program ends with a message.  The
 * caller owns the memory.  Blocks lie in larger chunks (device_pool.h); with KILN_DEVICE_POOL=none in the environment
 * each is allocated alone, for tools that detect wrong addresses.  device_bytes_* count the requested bytes. */
void *device_alloc(size_t bytes, const char *what);
void  device_free(void *p);
size_t device_bytes_now(void);
size_t device_bytes_peak(void);

/* Memory that processes on one machine share.  A process lends the chunk that contains an address of its memory; other
 * processes open this chunk once, which returns its first address, and add the offset.  Between
 * device_lend_begin and device_lend_end, which may be nested, no lent chunk is freed; the other processes must close it
 * before the last device_lend_end. */
enum { DEVICE_CHUNK_NAME = 64 };
typedef struct { unsigned char chunk[DEVICE_CHUNK_NAME]; uint64_t offset; } device_place;
void  device_lend_begin(void);
void  device_lend_end(void);
bool  device_lend(device_place *at, const void *p, failure *f);
void *device_borrow(const device_place *at, failure *f);                /* opens the chunk; NULL with the reason */
void  device_borrow_end(void *chunk);

void device_copy_to(void *device, const void *host, size_t bytes);
void device_copy_from(void *host, const void *device, size_t bytes);
void device_copy_within(void *to, const void *from, size_t bytes);     /* does not wait */

/* Host memory that kernels read and write, too, at the same address (pinned memory).  After device_wait the host sees
 * what kernels have written; kernels launched later see what the host has written.  device_push copies from it and
 * does not wait: the bytes must not change before the next wait. */
void *device_pinned_alloc(size_t bytes, const char *what);
void  device_pinned_free(void *p);
void  device_push(void *device, const void *pinned, size_t bytes);
void device_zero(void *p, size_t bytes);                               /* does not wait */

/* Bytes copied between host and device since the program began. */
typedef struct { uint64_t to_device, from_device; } device_traffic;
device_traffic device_traffic_so_far(void);

void *device_stream(void);          /* the cudaStream_t that kernels are launched on */

/* Work on a side stream: launches between _begin and _end run after the work launched before _begin, and may run at the
 * same time as launches after _end.  Launches after _join run after both. */
void device_side_begin(void);
void device_side_end(void);
void device_side_join(void);

void  device_check_launch(const char *kernel);   /* fatal if the last launch was refused */
void  device_wait(void);            /* waits until all work is done; fatal if any of it failed */

/* Time between two marks on the stream, in seconds. */
typedef struct device_mark device_mark;
device_mark *device_mark_create(void);
void   device_mark_free(device_mark *m);
void   device_mark_set(device_mark *m);
double device_mark_seconds(const device_mark *from, const device_mark *to);   /* waits for `to` */

#endif
