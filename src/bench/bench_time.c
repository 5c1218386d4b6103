/* bench_time.c - the time of one launch: median of many.
 *
 * On the GPU all launches are queued with an event between each two, so that the device never waits for
 * the host; a time is the difference of two events. */
#include "gpu/device.h"
#include "src/base/clock.h"
#include "src/base/memory.h"
#include "src/bench/bench.h"
#include "src/comm/comm.h"

#include <stdlib.h>

enum { THERMALIZATION = 3 };

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void time_on_gpu(double *seconds, int repeats, void (*run)(const void *what), const void *what)
{
    device_mark **marks = memory_alloc((size_t)(repeats + 1) * sizeof *marks, "marks");
    for (int i = 0; i <= repeats; i++)
        marks[i] = device_mark_create();
    device_mark_set(marks[0]);
    for (int i = 0; i < repeats; i++) {
        run(what);
        device_mark_set(marks[i + 1]);
    }
    for (int i = 0; i < repeats; i++)
        seconds[i] = device_mark_seconds(marks[i], marks[i + 1]);
    for (int i = 0; i <= repeats; i++)
        device_mark_free(marks[i]);
    memory_free(marks);
}

static void time_on_cpu(double *seconds, int repeats, void (*run)(const void *what), const void *what)
{
    for (int i = 0; i < repeats; i++) {
        double began = clock_now();
        run(what);
        seconds[i] = clock_now() - began;
    }
}

bench_time bench_launches(place where, int repeats, void (*run)(const void *what), const void *what)
{
    double *seconds = memory_alloc((size_t)repeats * sizeof *seconds, "times");
    for (int i = 0; i < THERMALIZATION; i++)
        run(what);
    if (where == PLACE_GPU)
        device_wait();
    comm_barrier(comm_world());
    (where == PLACE_GPU ? time_on_gpu : time_on_cpu)(seconds, repeats, run, what);
    qsort(seconds, (size_t)repeats, sizeof *seconds, by_size);
    bench_time t = { seconds[repeats / 2], seconds[0] };
    memory_free(seconds);
    return t;
}
