/* block_needs.h - the resources of a block of a kernel, and the division of memory into L1 cache and shared memory. */
#ifndef KILN_GPU_BLOCK_NEEDS_H
#define KILN_GPU_BLOCK_NEEDS_H

#include <cuda_runtime.h>
#include <stddef.h>

static inline size_t device_bytes(cudaDeviceAttr of)
{
    int device = 0, bytes = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&bytes, of, device);
    return (size_t)bytes;
}

extern "C" bool device_is_shared(void);         /* gpu/device.h */

/* Threads and bytes of shared memory of a block; and how many blocks should be resident on a multiprocessor. */
typedef struct { int threads; size_t shared; int resident; } block_needs;

/* divide_cache: L1 cache and shared memory divide one memory.  Shared memory gets what the resident blocks need, and no
 * more; on a device that ranks share (device.h), it gets all.  The driver uses SYSTEM_BYTES of it for each block. */
enum { SYSTEM_BYTES = 1024 };

template <class KERNEL>
static void divide_cache(KERNEL *kernel, const block_needs &b)
{
    const size_t all = device_bytes(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    const int needed = (int)(100 * (size_t)b.resident * (b.shared + SYSTEM_BYTES) / all) + 1;
    const int percent = device_is_shared() ? 100 : needed;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)b.shared);
    cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, percent < 100 ? percent : 100);
}

#endif
