/* slices.c - slices of an array in memory. */
#include "src/lattice/slices.h"

#include "src/base/memory.h"

#include <string.h>

double *slice_alloc(size_t reals)
{
    return memory_alloc(reals * sizeof(double), "a time slice on the host");
}

static void get_of_array(double *slice, const void *from, int number)
{
    const slice_array *a = from;
    memcpy(slice, a->numbers + (size_t)number * a->reals, a->reals * sizeof *slice);
}

static void set_of_array(void *to, int number, const double *slice)
{
    const slice_array *a = to;
    memcpy(a->numbers + (size_t)number * a->reals, slice, a->reals * sizeof *slice);
}

slice_source slice_array_source(const slice_array *a, int count)
{
    return (slice_source){ get_of_array, a, count, a->reals };
}

slice_sink slice_array_sink(slice_array *a, int count)
{
    return (slice_sink){ set_of_array, a, count, a->reals };
}
