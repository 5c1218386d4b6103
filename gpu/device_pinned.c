/* device_pinned.c - host memory that kernels read and write. */
#include "gpu/device.h"
#include "gpu/device_waits.h"
#include "src/base/error.h"

#include <cuda_runtime_api.h>

void *device_pinned_alloc(size_t bytes, const char *what)
{
    void *p = NULL;
    const cudaError_t status = cudaHostAlloc(&p, bytes, cudaHostAllocMapped);
    require(status == cudaSuccess, "%s needs %zu bytes of host memory that the GPU can reach: %s", what, bytes,
            cudaGetErrorString(status));
    return p;
}

void device_pinned_free(void *p)
{
    const cudaError_t status = p ? cudaFreeHost(p) : cudaSuccess;
    require(status == cudaSuccess, "freeing host memory that the GPU can reach: %s", cudaGetErrorString(status));
}

void *device_mailbox(void)
{
    static _Thread_local void *mailbox;
    if (!mailbox)
        mailbox = device_pinned_alloc(DEVICE_MAILBOX, "a buffer for numbers from the GPU");
    return mailbox;
}
