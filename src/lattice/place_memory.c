/* place_memory.c - memory at a place, counted: the device keeps its own account, the CPU's is here, beside the one of
 * all host memory. */
#include "src/lattice/place_memory.h"

#include "gpu/device.h"
#include "src/base/memory.h"

static _Thread_local size_t cpu_now, cpu_peak;

void *place_alloc(place where, size_t bytes, const char *what)
{
    if (where == PLACE_GPU)
        return device_alloc(bytes, what);
    void *p = memory_alloc(bytes, what);
    cpu_now += bytes;
    if (cpu_now > cpu_peak)
        cpu_peak = cpu_now;
    return p;
}

void place_free(place where, void *p)
{
    if (where == PLACE_GPU) {
        device_free(p);
    } else if (p) {
        cpu_now -= memory_bytes_of(p);
        memory_free(p);
    }
}

size_t place_bytes_now(place where)
{
    return where == PLACE_GPU ? device_bytes_now() : cpu_now;
}

size_t place_bytes_peak(place where)
{
    return where == PLACE_GPU ? device_bytes_peak() : cpu_peak;
}
