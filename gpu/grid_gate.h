/* grid_gate.h - where all blocks of a kernel wait for each other (persistent_gate); all must be resident at once.
 *
 * A block arrives by one atomic addition.  After the wait, all threads see what any thread wrote before its block
 * arrived: the arriving thread performs a release, the waiting thread an acquire, which also invalidates the L1
 * cache. */
#ifndef KILN_GPU_GRID_GATE_H
#define KILN_GPU_GRID_GATE_H

#include "src/kernels/persistent_args.h"

/* The gate as a block uses it, with the number of its waits. */
typedef struct { persistent_gate *there; unsigned long long waits; } grid_gate;

static __device__ __forceinline__ unsigned long long gate_number(const unsigned long long *number)
{
    unsigned long long value;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(number) : "memory");
    return value;
}

static __device__ __forceinline__ void gate_open(unsigned long long *number, unsigned long long value)
{
    asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(number), "l"(value) : "memory");
}

static __device__ __forceinline__ void gate_wait_until(const unsigned long long *number, unsigned long long value)
{
    while (gate_number(number) < value)
        ;
}

/* Waits until all blocks have arrived. */
static __device__ __forceinline__ void gate_pass(grid_gate *g)
{
    g->waits++;
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("red.release.gpu.global.add.u64 [%0], 1;" ::"l"(&g->there->arrived) : "memory");
        gate_wait_until(&g->there->arrived, g->waits * gridDim.x);
    }
    __syncthreads();
}

/* For a wait in which one block computes something that the others need: true for the block that arrives last.  This
 * block then calls gate_let_pass; the others call gate_pass_after. */
static __device__ __forceinline__ bool gate_is_last(grid_gate *g)
{
    __shared__ bool last;
    g->waits++;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned long long before;
        asm volatile("atom.acq_rel.gpu.global.add.u64 %0, [%1], 1;"
                     : "=l"(before) : "l"(&g->there->arrived) : "memory");
        last = before + 1 == g->waits * gridDim.x;
    }
    __syncthreads();
    return last;
}

static __device__ __forceinline__ void gate_let_pass(grid_gate *g)
{
    __syncthreads();
    if (threadIdx.x == 0)
        gate_open(&g->there->opened, g->waits);
    __syncthreads();
}

static __device__ __forceinline__ void gate_pass_after(grid_gate *g)
{
    if (threadIdx.x == 0)
        gate_wait_until(&g->there->opened, g->waits);
    __syncthreads();
}

#endif
