/* device_loop.c - loops on the device: graphs of the CUDA runtime. */
#include "gpu/device_loop.h"

#include "gpu/device.h"
#include "gpu/device_waits.h"

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_WITH_LOOPS 12040

/* If the host decides, it launches passes ahead, so that the GPU has work while the host sleeps (for milliseconds,
 * where other programs keep the cores busy).  Passes after the end of the loop are wasted, and a pass of a solver has
 * several iterations (solvers/krylov.c).  So up to MANY passes are in flight as long as fewer passes have been
 * launched than the last run needed, and FEW after that. */
enum { FEW = 2, MANY = 16 };

struct device_loop {
    bool decides;
    const int *going;
    cudaGraph_t graph;
    cudaGraphExec_t run;
#if CUDART_VERSION >= FIRST_WITH_LOOPS
    cudaGraphConditionalHandle handle;
#endif
    int *seen;                           /* *going after the latest passes, in host memory */
    cudaEvent_t passed[MANY];
    int expected;                        /* passes of the last run */
};

/* gpu/loop_condition.cu */
void loop_condition(unsigned long long handle, const int *going, void *stream);

static void check(cudaError_t status, const char *what)
{
    require(status == cudaSuccess, "GPU: %s failed: %s (%s)", what, cudaGetErrorString(status),
            cudaGetErrorName(status));
}

bool device_decides_loops(void)
{
    const char *asked = getenv("KILN_LOOPS");
    int driver = 0;
    if (asked && strcmp(asked, "host") == 0)
        return false;
    return CUDART_VERSION >= FIRST_WITH_LOOPS && cudaDriverGetVersion(&driver) == cudaSuccess
           && driver >= FIRST_WITH_LOOPS;
}

#if CUDART_VERSION >= FIRST_WITH_LOOPS
/* Creates a loop in the graph; launches that follow are recorded in its body. */
static void begin_inside(device_loop *l)
{
    cudaGraphNode_t node;
    struct cudaGraphNodeParams p = { .type = cudaGraphNodeTypeConditional };
    check(cudaGraphCreate(&l->graph, 0), "making a graph");
    check(cudaGraphConditionalHandleCreate(&l->handle, l->graph, 1, cudaGraphCondAssignDefault),
          "making the condition of a graph");
    p.conditional.handle = l->handle;
    p.conditional.type = cudaGraphCondTypeWhile;
    p.conditional.size = 1;
#if CUDART_VERSION >= 13000
    check(cudaGraphAddNode(&node, l->graph, NULL, NULL, 0, &p), "adding a loop to a graph");
#else
    check(cudaGraphAddNode(&node, l->graph, NULL, 0, &p), "adding a loop to a graph");
#endif
    check(cudaStreamBeginCaptureToGraph(device_stream(), p.conditional.phGraph_out[0], NULL, NULL, 0,
                                        cudaStreamCaptureModeThreadLocal), "recording kernels");
}
#endif

device_loop *device_loop_begin(const int *going, bool decides)
{
    device_loop *l = calloc(1, sizeof *l);
    require(l != NULL, "out of host memory: a loop on the GPU");
    l->going = going;
    l->decides = decides;
#if CUDART_VERSION >= FIRST_WITH_LOOPS
    if (decides) {
        begin_inside(l);
        return l;
    }
#endif
    check(cudaMallocHost((void **)&l->seen, MANY * sizeof *l->seen), "memory that the GPU writes");
    for (int i = 0; i < MANY; i++)
        check(cudaEventCreateWithFlags(&l->passed[i], cudaEventDisableTiming), "creating an event");
    check(cudaStreamBeginCapture(device_stream(), cudaStreamCaptureModeThreadLocal), "recording kernels");
    return l;
}

void device_loop_end(device_loop *l)
{
    cudaGraph_t recorded;
#if CUDART_VERSION >= FIRST_WITH_LOOPS
    if (l->decides) {
        loop_condition(l->handle, l->going, device_stream());
        device_check_launch("loop_condition");
    }
#endif
    check(cudaStreamEndCapture(device_stream(), &recorded), "recording kernels");
    if (!l->decides)
        l->graph = recorded;
    check(cudaGraphInstantiate(&l->run, l->graph, 0), "preparing a graph");
}

static void start_pass(device_loop *l, int pass)
{
    cudaStream_t stream = device_stream();
    const int i = pass % MANY;
    check(cudaGraphLaunch(l->run, stream), "starting a graph");
    check(cudaMemcpyAsync(&l->seen[i], l->going, sizeof *l->seen, cudaMemcpyDeviceToHost, stream),
          "copying from the GPU");
    check(cudaEventRecord(l->passed[i], stream), "recording an event");
}

/* Whether the loop goes on after this pass. */
static bool goes_on(device_loop *l, int pass)
{
    check((cudaError_t)device_wait_for_event(l->passed[pass % MANY]), "waiting for an event");
    return l->seen[pass % MANY] != 0;
}

void device_loop_run(device_loop *l)
{
    if (l->decides) {
        check(cudaGraphLaunch(l->run, device_stream()), "starting a graph");
        return;
    }
    int started = 0, passed = 0;
    do {
        const int far = l->expected < passed + MANY ? l->expected : passed + MANY;
        for (const int upto = far > passed + FEW ? far : passed + FEW; started < upto; started++)
            start_pass(l, started);
    } while (goes_on(l, passed++));
    l->expected = passed;
}

void device_loop_free(device_loop *l)
{
    if (!l)
        return;
    device_wait();
    cudaGraphExecDestroy(l->run);
    cudaGraphDestroy(l->graph);
    if (!l->decides) {
        for (int i = 0; i < MANY; i++)
            cudaEventDestroy(l->passed[i]);
        cudaFreeHost(l->seen);
    }
    free(l);
}
