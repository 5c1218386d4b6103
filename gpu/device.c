/* device.c - the device on the CUDA runtime. */
#include "gpu/device.h"

#include "src/base/text.h"

#include <assert.h>
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

/* The one device of this process. */
static struct {
    bool open;
    int index;
    cudaStream_t stream;
    size_t bytes_now, bytes_peak;
    device_traffic traffic;
} device;

struct device_mark { cudaEvent_t event; };

static void check(cudaError_t status, const char *what)
{
    require(status == cudaSuccess, "GPU: %s failed: %s (%s)", what, cudaGetErrorString(status),
            cudaGetErrorName(status));
}

/* Why there is no GPU, in words for the one at the machine: without any driver the runtime says that the driver is
 * too old. */
static const char *reason_for_no_gpu(cudaError_t status)
{
    int driver = 0;
    if (status == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
        return "no GPU driver on this machine";
    return status == cudaErrorNoDevice ? "no GPU on this machine" : cudaGetErrorString(status);
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
        cudaSetDevice(present);         /* the one that this process works on */
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
    d->free_bytes = free_bytes;
    d->l2_bytes = (size_t)properties.l2CacheSize;
    return true;
}

typedef struct { char s[16]; } version_text;

static const char *version_name(int version, version_text *v)
{
    snprintf(v->s, sizeof v->s, "%d.%d", version / 1000, version % 1000 / 10);
    return v->s;
}

const char *device_runtime_version(void)
{
    static version_text v;
    int version = 0;
    return cudaRuntimeGetVersion(&version) == cudaSuccess ? version_name(version, &v) : "";
}

const char *device_driver_version(void)
{
    static version_text v;
    int version = 0;
    return cudaDriverGetVersion(&version) == cudaSuccess && version > 0 ? version_name(version, &v) : "";
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
        status = cudaStreamCreateWithFlags(&device.stream, cudaStreamNonBlocking);
    if (status != cudaSuccess)
        return fail(f, "GPU %d cannot be used: %s", index, cudaGetErrorString(status));
    device.index = index;
    device.open = true;
    return true;
}

bool device_is_open(void)
{
    return device.open;
}

int device_index(void)
{
    return device.index;
}

/* Each block carries its size in front, padded so that the data stays aligned as cudaMalloc gives it. */
enum { BLOCK_HEADER = 256 };

void *device_alloc(size_t bytes, const char *what)
{
    char *block = NULL;
    assert(device.open);
    cudaError_t status = cudaMalloc((void **)&block, bytes + BLOCK_HEADER);
    if (status != cudaSuccess) {
        size_t free_bytes = 0, total_bytes = 0;
        cudaMemGetInfo(&free_bytes, &total_bytes);
        fatal("out of GPU memory: %s needs %s; %s of %s are free, %s are taken by this run (%s)", what,
              bytes_to_text((double)bytes).s, bytes_to_text((double)free_bytes).s, bytes_to_text((double)total_bytes).s,
              bytes_to_text((double)device.bytes_now).s, cudaGetErrorString(status));
    }
    check(cudaMemsetAsync(block, 0, bytes + BLOCK_HEADER, device.stream), "clearing memory");
    check(cudaMemcpyAsync(block, &bytes, sizeof bytes, cudaMemcpyHostToDevice, device.stream), "labelling memory");
    check(cudaStreamSynchronize(device.stream), "clearing memory");
    device.bytes_now += bytes;
    if (device.bytes_now > device.bytes_peak)
        device.bytes_peak = device.bytes_now;
    return block + BLOCK_HEADER;
}

void device_free(void *p)
{
    if (!p)
        return;
    char *block = (char *)p - BLOCK_HEADER;
    size_t bytes = 0;
    check(cudaStreamSynchronize(device.stream), "waiting for the GPU");
    check(cudaMemcpy(&bytes, block, sizeof bytes, cudaMemcpyDeviceToHost), "reading a label");
    check(cudaFree(block), "freeing memory");
    device.bytes_now -= bytes;
}

size_t device_bytes_now(void)
{
    return device.bytes_now;
}

size_t device_bytes_peak(void)
{
    return device.bytes_peak;
}

void device_copy_to(void *to, const void *host, size_t bytes)
{
    check(cudaMemcpyAsync(to, host, bytes, cudaMemcpyHostToDevice, device.stream), "copying to the GPU");
    check(cudaStreamSynchronize(device.stream), "copying to the GPU");
    device.traffic.to_device += bytes;
}

void device_copy_from(void *host, const void *from, size_t bytes)
{
    check(cudaMemcpyAsync(host, from, bytes, cudaMemcpyDeviceToHost, device.stream), "copying from the GPU");
    check(cudaStreamSynchronize(device.stream), "copying from the GPU");
    device.traffic.from_device += bytes;
}

void device_copy_within(void *to, const void *from, size_t bytes)
{
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, device.stream), "copying on the GPU");
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

void device_check_launch(const char *kernel)
{
    cudaError_t status = cudaGetLastError();
    require(status == cudaSuccess, "GPU: kernel %s was not launched: %s (%s)", kernel, cudaGetErrorString(status),
            cudaGetErrorName(status));
}

void device_wait(void)
{
    if (device.open)
        check(cudaStreamSynchronize(device.stream), "work on the GPU");
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
    check(cudaEventSynchronize(to->event), "waiting for an event");
    check(cudaEventElapsedTime(&milliseconds, from->event, to->event), "reading the time between events");
    return 1e-3 * milliseconds;
}
