/* place_memory.c - counted memory at a place.  gpu/device.h counts the memory of the GPU; this file counts the
 * memory of the place CPU, for each rank (thread), in addition to the count of all host memory (base/memory.h). */
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
