/* device.c - the device on the CUDA runtime. */
#include "gpu/device.h"

#include "gpu/device_pool.h"
#include "gpu/device_waits.h"
#include "src/base/text.h"

#include <assert.h>
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The one device of this rank. */
static _Thread_local struct {
    bool open, shared;
    int index;
    cudaStream_t stream, main, side;        /* stream: main or side, whichever launches use now */
    cudaEvent_t begun, ended;               /* of work on the side stream */
    device_pool *pool;
    int lending;                            /* calls of device_lend_begin that device_lend_end has not yet ended */
    cudaError_t refused;                    /* why the source of chunks had no memory */
    size_t bytes_now, bytes_peak;
    device_traffic traffic;
} device;

struct device_mark { cudaEvent_t event; };

static void check(cudaError_t status, const char *what)
{
    require(status == cudaSuccess, "GPU: %s failed: %s (%s)", what, cudaGetErrorString(status),
            cudaGetErrorName(status));
}

/* Why there is no GPU, in words for the user: if there is no driver at all, the runtime says that the driver is too
 * old. */
static const char *reason_for_no_gpu(cudaError_t status)
{
    int driver = 0;
    if (status == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
        return "no GPU driver on this machine";
    return status == cudaErrorNoDevice ? "no GPU on this machine" : cudaGetErrorString(status);
}

bool device_is_built(void)
{
    return true;
}

int device_count(failure *f)
{
    int count = 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess) {
        fail(f, "no usable GPU: %s", reason_for_no_gpu(status));
        return 0;
    }
    if (count == 0)
        fail(f, "no usable GPU: the driver shows none");
    return count;
}

bool device_describe(int index, device_description *d, failure *f)
{
    struct cudaDeviceProp properties;
    size_t free_bytes = 0, total_bytes = 0;
    int present = 0;
    cudaError_t status = cudaGetDeviceProperties(&properties, index);
    if (status == cudaSuccess)
        status = cudaGetDevice(&present);
    if (status == cudaSuccess)
        status = cudaSetDevice(index);
    if (status == cudaSuccess) {
        status = cudaMemGetInfo(&free_bytes, &total_bytes);
        cudaSetDevice(present);         /* back to the device of this process */
    }
    if (status != cudaSuccess)
        return fail(f, "GPU %d: %s", index, cudaGetErrorString(status));
    snprintf(d->name, sizeof d->name, "%s", properties.name);
    snprintf(d->bus, sizeof d->bus, "%04x:%02x:%02x.0", (unsigned)properties.pciDomainID,
             (unsigned)properties.pciBusID, (unsigned)properties.pciDeviceID);
    d->compute_major = properties.major;
    d->compute_minor = properties.minor;
    d->multiprocessors = properties.multiProcessorCount;
    d->memory_bytes = total_bytes;
    d->free_bytes = free_bytes + (device.open && device.index == index ? device_pool_unused(device.pool) : 0);
    d->l2_bytes = (size_t)properties.l2CacheSize;
    return true;
}

/* ---- the device of this rank */

/* Blocks on the side stream have priority: other blocks wait for the data that they send. */
static cudaError_t create_side_stream(void)
{
    int least, greatest;
    cudaError_t status = cudaDeviceGetStreamPriorityRange(&least, &greatest);
    if (status == cudaSuccess)
        status = cudaStreamCreateWithPriority(&device.side, cudaStreamNonBlocking, greatest);
    if (status == cudaSuccess)
        status = cudaEventCreateWithFlags(&device.begun, cudaEventDisableTiming);
    if (status == cudaSuccess)
        status = cudaEventCreateWithFlags(&device.ended, cudaEventDisableTiming);
    return status;
}

static void *get_chunk(void *context, size_t bytes)
{
    void *chunk = NULL;
    (void)context;
    device.refused = cudaMalloc(&chunk, bytes);
    if (device.refused == cudaSuccess)
        return chunk;
    cudaGetLastError();                              /* device_alloc handles it */
    return NULL;
}

static void give_chunk_back(void *context, void *chunk)
{
    (void)context;
    device_wait();
    check(cudaFree(chunk), "freeing memory");
}

static size_t chunk_bytes(void)
{
    const char *asked = getenv("KILN_DEVICE_POOL");
    return asked && strcmp(asked, "none") == 0 ? 0 : POOL_CHUNK_BYTES;
}

bool device_open(int index, failure *f)
{
    if (device.open)
        return device.index == index ? true : fail(f, "GPU %d is in use by this process already", device.index);
    int count = device_count(f);
    if (count == 0)
        return false;
    if (index < 0 || index >= count)
        return fail(f, "GPU %d asked for, but there are %d (counted from 0)", index, count);
    cudaError_t status = cudaSetDevice(index);
    if (status == cudaSuccess)
        status = cudaStreamCreateWithFlags(&device.main, cudaStreamNonBlocking);
    if (status == cudaSuccess)
        status = create_side_stream();
    if (status != cudaSuccess)
        return fail(f, "GPU %d cannot be used: %s", index, cudaGetErrorString(status));
    device.stream = device.main;
    device.index = index;
    device.pool = device_pool_create((chunk_source){ .get = get_chunk, .give_back = give_chunk_back }, chunk_bytes());
    device.open = true;
    return true;
}

int device_index(void)
{
    return device.index;
}

void device_share_with_ranks(void)
{
    device.shared = true;
    check(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared), "dividing L1 cache and shared memory");
}

bool device_is_shared(void)
{
    return device.shared;
}

bool device_reach(const int *other, int count, failure *f)
{
    for (int i = 0; i < count; i++) {
        int can = 0;
        if (other[i] == device.index)
            continue;
        cudaError_t status = cudaDeviceCanAccessPeer(&can, device.index, other[i]);
        if (status == cudaSuccess && can)
            status = cudaDeviceEnablePeerAccess(other[i], 0);
        if (status == cudaErrorPeerAccessAlreadyEnabled) {
            cudaGetLastError();                      /* this is not an error */
            status = cudaSuccess;
        }
        if (status != cudaSuccess || !can)
            return fail(f, "GPU %d cannot reach the memory of GPU %d: %s", device.index, other[i],
                        status != cudaSuccess ? cudaGetErrorString(status) : "no peer access");
    }
    return true;
}

/* ---- memory */

void *device_alloc(size_t bytes, const char *what)
{
    assert(device.open);
    void *block = device_pool_alloc(device.pool, bytes);
    if (!block) {
        size_t free_bytes = 0, total_bytes = 0;
        cudaMemGetInfo(&free_bytes, &total_bytes);
        fatal("out of GPU memory: %s needs %s; %s of %s are free, %s are taken by this run (%s)", what,
              bytes_to_text((double)bytes).s, bytes_to_text((double)free_bytes).s, bytes_to_text((double)total_bytes).s,
              bytes_to_text((double)device.bytes_now).s, cudaGetErrorString(device.refused));
    }
    check(cudaMemsetAsync(block, 0, bytes, device.stream), "clearing memory");
    device_wait();
    device.bytes_now += bytes;
    if (device.bytes_now > device.bytes_peak)
        device.bytes_peak = device.bytes_now;
    return block;
}

/* All work runs in the order of one stream, so later work may reuse the memory. */
void device_free(void *p)
{
    if (p)
        device.bytes_now -= device_pool_return(device.pool, p);
}

size_t device_bytes_now(void)
{
    return device.bytes_now;
}

size_t device_bytes_peak(void)
{
    return device.bytes_peak;
}

/* ---- memory of other processes */

_Static_assert(sizeof(cudaIpcMemHandle_t) == DEVICE_CHUNK_NAME, "the name of a chunk is its IPC handle");
_Static_assert((int)DEVICE_CHUNK_NAME == (int)POOL_NAME_BYTES, "names of chunks");

void device_lend_begin(void)
{
    if (device.lending++ == 0)
        device_pool_keep(device.pool, true);
}

void device_lend_end(void)
{
    if (--device.lending == 0)
        device_pool_keep(device.pool, false);
}

bool device_lend(device_place *at, const void *p, failure *f)
{
    lent_chunk *c = device_pool_lend(device.pool, p);
    assert(c && device.lending > 0);
    if (!c->named) {
        cudaIpcMemHandle_t handle;
        const cudaError_t status = cudaIpcGetMemHandle(&handle, c->memory);
        if (status != cudaSuccess) {
            cudaGetLastError();
            return fail(f, "GPU %d cannot show its memory to other processes: %s", device.index,
                        cudaGetErrorString(status));
        }
        memcpy(c->name, &handle, sizeof handle);
        c->named = true;
    }
    memcpy(at->chunk, c->name, sizeof at->chunk);
    at->offset = (uint64_t)((const char *)p - c->memory);
    return true;
}

void *device_borrow(const device_place *at, failure *f)
{
    void *chunk = NULL;
    cudaIpcMemHandle_t handle;
    memcpy(&handle, at->chunk, sizeof handle);
    const cudaError_t status = cudaIpcOpenMemHandle(&chunk, handle, cudaIpcMemLazyEnablePeerAccess);
    if (status == cudaSuccess)
        return chunk;
    cudaGetLastError();
    fail(f, "GPU %d cannot open memory of another process: %s", device.index, cudaGetErrorString(status));
    return NULL;
}

void device_borrow_end(void *chunk)
{
    check(cudaIpcCloseMemHandle(chunk), "closing memory of another process");
}

/* ---- copies and work */

/* A copy from or to pageable memory waits inside the driver, where it may block other threads of this process, and
 * where no watch is called.  If GPUs store into each other's memory, this can be a deadlock: the kernels that the copy
 * waits for may wait for kernels that a blocked thread has not launched yet.  So the host waits for the stream before
 * such a copy.  Small copies from the GPU go through pinned memory and need no wait before. */
static void wait_before_copy(void)
{
    if (device.lending > 0 || device_is_watched())
        device_wait();
}

void device_copy_to(void *to, const void *host, size_t bytes)
{
    wait_before_copy();
    check(cudaMemcpyAsync(to, host, bytes, cudaMemcpyHostToDevice, device.stream), "copying to the GPU");
    device_wait();
    device.traffic.to_device += bytes;
}

void device_copy_from(void *host, const void *from, size_t bytes)
{
    void *mailbox = bytes <= DEVICE_MAILBOX ? device_mailbox() : NULL;
    if (!mailbox)
        wait_before_copy();
    check(cudaMemcpyAsync(mailbox ? mailbox : host, from, bytes, cudaMemcpyDeviceToHost, device.stream),
          "copying from the GPU");
    device_wait();
    if (mailbox)
        memcpy(host, mailbox, bytes);
    device.traffic.from_device += bytes;
}

void device_copy_within(void *to, const void *from, size_t bytes)
{
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, device.stream), "copying on the GPU");
}

void device_push(void *to, const void *pinned, size_t bytes)
{
    check(cudaMemcpyAsync(to, pinned, bytes, cudaMemcpyHostToDevice, device.stream), "copying to the GPU");
    device.traffic.to_device += bytes;
}

void device_zero(void *p, size_t bytes)
{
    check(cudaMemsetAsync(p, 0, bytes, device.stream), "clearing memory");
}

device_traffic device_traffic_so_far(void)
{
    return device.traffic;
}

void *device_stream(void)
{
    return device.stream;
}

void device_side_begin(void)
{
    check(cudaEventRecord(device.begun, device.main), "recording an event");
    check(cudaStreamWaitEvent(device.side, device.begun, 0), "waiting for an event");
    device.stream = device.side;
}

void device_side_end(void)
{
    check(cudaEventRecord(device.ended, device.side), "recording an event");
    device.stream = device.main;
}

void device_side_join(void)
{
    check(cudaStreamWaitEvent(device.main, device.ended, 0), "waiting for an event");
}

void device_check_launch(const char *kernel)
{
    cudaError_t status = cudaGetLastError();
    require(status == cudaSuccess, "GPU: kernel %s was not launched: %s (%s)", kernel, cudaGetErrorString(status),
            cudaGetErrorName(status));
}

void device_wait(void)
{
    if (device.open)
        check((cudaError_t)device_wait_for_stream(device.stream), "work on the GPU");
}

device_mark *device_mark_create(void)
{
    device_mark *m = malloc(sizeof *m);
    require(m != NULL, "out of host memory: a mark on the GPU's stream");
    check(cudaEventCreate(&m->event), "creating an event");
    return m;
}

void device_mark_free(device_mark *m)
{
    if (m)
        cudaEventDestroy(m->event);
    free(m);
}

void device_mark_set(device_mark *m)
{
    check(cudaEventRecord(m->event, device.stream), "recording an event");
}

double device_mark_seconds(const device_mark *from, const device_mark *to)
{
    float milliseconds = 0;
    check((cudaError_t)device_wait_for_event(to->event), "waiting for an event");
    check(cudaEventElapsedTime(&milliseconds, from->event, to->event), "reading the time between events");
    return 1e-3 * milliseconds;
}
