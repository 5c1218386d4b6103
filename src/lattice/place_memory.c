/* place_memory.c - memory at a place, counted: the device keeps its own account, the CPU's is here, beside the one of
 * all host memory. */
#include "src/lattice/place_memory.h"

#include "gpu/device.h"
#include "src/base/memory.h"

#include <stdatomic.h>

static atomic_size_t cpu_now, cpu_peak;

void *place_alloc(place where, size_t bytes, const char *what)
{
    if (where == PLACE_GPU)
        return device_alloc(bytes, what);
    void *p = memory_alloc(bytes, what);
    size_t now = atomic_fetch_add(&cpu_now, bytes) + bytes, peak = atomic_load(&cpu_peak);
    while (now > peak && !atomic_compare_exchange_weak(&cpu_peak, &peak, now))
        continue;
    return p;
}

void place_free(place where, void *p)
{
    if (where == PLACE_GPU) {
        device_free(p);
    } else if (p) {
        atomic_fetch_sub(&cpu_now, memory_bytes_of(p));
        memory_free(p);
    }
}

size_t place_bytes_now(place where)
{
    return where == PLACE_GPU ? device_bytes_now() : atomic_load(&cpu_now);
}

size_t place_bytes_peak(place where)
{
    return where == PLACE_GPU ? device_bytes_peak() : atomic_load(&cpu_peak);
}
