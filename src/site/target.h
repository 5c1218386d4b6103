/* target.h - the machine that the code of kernels is compiled for: a CPU, or an NVIDIA GPU by nvcc.
 *
 * This file alone tests which one it is, and it defines all CUDA extensions that src/site and src/kernels need.  Code
 * for another GPU needs a third part of this file.  Code that differs between GPU and CPU for other reasons is in
 * real_*.h, site_*.h and kernels/krylov_site_*.h, which TARGET_IS_GPU selects.
 *
 *     SITE_FN          a function of kernels for one site; always inlined
 *     SITE_PART        a larger part of a kernel; on the CPU a function that is not inlined
 *     TARGET_FN        a function of scalars, for kernels and for host code that the C compiler compiles
 *     TARGET_LARGE_FN  the same; the compiler decides whether to inline it
 *     COMMON_FN        a function for kernels and for the host, also where nvcc compiles code of the host */
#ifndef KILN_SITE_TARGET_H
#define KILN_SITE_TARGET_H

#ifdef __CUDACC__

#define TARGET_IS_GPU 1
#define PLACE_TAG gpu                     /* in the names of kernels (real.h) */

#define SITE_FN static __device__ __forceinline__
#define SITE_PART SITE_FN
#define TARGET_FN SITE_FN
#define TARGET_LARGE_FN static __device__ inline
#define COMMON_FN static __host__ __device__ __forceinline__

/* Loops over directions are not unrolled: the code would become too large for compiler and instruction cache.  Loops
 * over arrays in registers, indexed by the loop counter, must be unrolled. */
#define KEEP_LOOP _Pragma("unroll 1")
#define UNROLL_TWICE _Pragma("unroll 2")
#define UNROLL_LOOP _Pragma("unroll")

/* TARGET_KERNEL(threads a block, blocks that a multiprocessor must hold; 0 or omitted: the compiler decides) begins the
 * definition of a kernel.  TARGET_ARGS(type): an argument in constant memory. */
#define TARGET_KERNEL(...) static __global__ void __launch_bounds__(__VA_ARGS__)
#define TARGET_ARGS(type) const __grid_constant__ type

/* The function that the host calls, and in it the launch of `blocks` (a number, or a target_blocks of x times y) of
 * `threads` threads. */
#define TARGET_ENTRY extern "C" void
#define TARGET_LAUNCH(kernel, blocks, threads, stream, ...)                                                            \
    kernel<<<blocks, threads, 0, (cudaStream_t)stream>>>(__VA_ARGS__)
typedef dim3 target_blocks;

/* For the device of the calling thread: the number of multiprocessors, and the blocks of a kernel that one can hold. */
static inline int target_processors(void)
{
    int device = 0, processors = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    return processors;
}

static inline int target_resident_blocks(const void *kernel, int threads)
{
    int resident = 1;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0);
    return resident;
}

/* Indices and numbers of the threads of a block and of the blocks of a launch; unsigned. */
#define THREAD_INDEX threadIdx.x
#define BLOCK_THREADS blockDim.x
#define BLOCK_INDEX blockIdx.x
#define BLOCK_INDEX_Y blockIdx.y
#define GRID_BLOCKS gridDim.x
#define IS_FIRST_BLOCK ((blockIdx.x | blockIdx.y | blockIdx.z) == 0)
#define ALL_BLOCKS (gridDim.x * gridDim.y * gridDim.z)

/* Memory that the threads of a block share, and their barrier.  BLOCK_COUNT: a barrier that returns the number of
 * threads in which the condition holds. */
#define BLOCK_MEMORY __shared__
#define BLOCK_BARRIER() __syncthreads()
#define BLOCK_COUNT(condition) __syncthreads_count(condition)

/* WARP_DOWN: the value in the lane with number + lanes; WARP_XOR: in the lane with number ^ lanes. */
#define WARP_LANES 32
#define WARP_HALF 16
#define WARP_DOWN(value, lanes) __shfl_down_sync(0xffffffffu, value, lanes)
#define WARP_XOR(value, lanes) __shfl_xor_sync(0xffffffffu, value, lanes)

/* Atomic operations on integers in memory.  MEMORY_FENCE: no thread of the device sees later writes of this thread
 * before its earlier ones. */
#define ATOMIC_ADD(address, value) atomicAdd(address, value)
#define ATOMIC_MAX(address, value) atomicMax(address, value)
#define MEMORY_FENCE() __threadfence()

TARGET_FN long long bits_of(double v)
{
    return __double_as_longlong(v);
}

TARGET_FN double number_of_bits(long long b)
{
    return __longlong_as_double(b);
}

TARGET_FN int leading_zeros(unsigned long long w)            /* w > 0 */
{
    return __clzll((long long)w);
}

TARGET_LARGE_FN double square_root_of(double x)
{
    return __dsqrt_rn(x);
}

/* a b + c, rounded once */
TARGET_LARGE_FN double fused_double(double a, double b, double c)
{
    return __fma_rn(a, b, c);
}

#else

#define TARGET_IS_GPU 0
#define PLACE_TAG cpu

#define SITE_FN static inline __attribute__((always_inline, unused))
#define SITE_PART static __attribute__((noinline, unused))
#define TARGET_FN static inline __attribute__((unused))
#define TARGET_LARGE_FN TARGET_FN
#define COMMON_FN TARGET_FN

#define KEEP_LOOP _Pragma("GCC unroll 1")
#define UNROLL_TWICE KEEP_LOOP
#ifdef __SANITIZE_ADDRESS__
#define UNROLL_LOOP                                  /* checks at each access are enough to compile */
#else
#define UNROLL_LOOP _Pragma("GCC unroll 32")
#endif

#define BLOCK_BARRIER() ((void)0)                    /* a block is one thread */

TARGET_FN long long bits_of(double v)
{
    union { double number; long long bits; } u;
    u.number = v;
    return u.bits;
}

TARGET_FN double number_of_bits(long long b)
{
    union { double number; long long bits; } u;
    u.bits = b;
    return u.number;
}

TARGET_FN int leading_zeros(unsigned long long w)            /* w > 0 */
{
    return __builtin_clzll(w);
}

TARGET_LARGE_FN double square_root_of(double x)
{
    return __builtin_sqrt(x);
}

/* a b + c, rounded once */
TARGET_LARGE_FN double fused_double(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}

#endif

#endif
