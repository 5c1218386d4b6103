/* loop_condition.cu - the kernel at the end of a loop's body, which decides on another pass (device_loop.h). */
#ifndef SINGLE

#include <cuda_runtime.h>

#if CUDART_VERSION >= 12040
static __global__ void set_condition(cudaGraphConditionalHandle handle, const int *going)
{
    cudaGraphSetConditional(handle, *going != 0);
}
#endif

extern "C" void loop_condition(unsigned long long handle, const int *going, void *stream)
{
#if CUDART_VERSION >= 12040
    set_condition<<<1, 1, 0, (cudaStream_t)stream>>>((cudaGraphConditionalHandle)handle, going);
#else
    (void)handle;
    (void)going;
    (void)stream;
#endif
}

#endif
