/* block_needs.h - what a block of a kernel takes of a multiprocessor, and how L1 cache and shared memory divide it. */
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

/* What a block takes: threads, bytes of shared memory; and how many blocks are to share a multiprocessor. */
typedef struct { int threads; size_t shared; int resident; } block_needs;

/* Of what L1 cache and shared memory have between them, the latter gets what the resident blocks need, and no more;
 * on a device that ranks share, all of it.  SYSTEM_BYTES a block are the driver's. */
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
