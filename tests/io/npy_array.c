/* npy_array.c - the slices of an array in memory are those of its first index, where there are several. */
#include "tests/io/npy_array.h"

#include "src/base/memory.h"

#include <limits.h>
#include <string.h>

/* Of a shape that is not refused: those with more numbers than a size_t can count are. */
static size_t count_elements(int dimensions, const size_t *shape)
{
    size_t count = 1;
    for (int i = 0; i < dimensions; i++)
        count *= shape[i];
    return count;
}

static int count_slices(int dimensions, const size_t *shape)
{
    return dimensions > 1 && shape[0] < INT_MAX ? (int)shape[0] : 1;
}

bool npy_write(const char *path, const double *data, int dimensions, const size_t *shape, failure *f)
{
    const int slices = count_slices(dimensions, shape);
    const slice_array a = { (double *)data, slices > 0 ? count_elements(dimensions, shape) / (size_t)slices : 0 };
    const slice_source from = slice_array_source(&a, slices);
    return npy_write_slices(path, &from, dimensions, shape, f);
}

/* Allocated when the first slice comes: by then the file has been found long enough. */
typedef struct { double *data; size_t reals, count; const char *path; } growing_array;

static void set_slice(void *to, int number, const double *slice)
{
    growing_array *a = to;
    if (!a->data)
        a->data = memory_alloc(a->count * sizeof *a->data, a->path);
    memcpy(a->data + (size_t)number * a->reals, slice, a->reals * sizeof *slice);
}

double *npy_read(const char *path, int dimensions, const size_t *shape, failure *f)
{
    const size_t count = count_elements(dimensions, shape);
    const int slices = count_slices(dimensions, shape);
    growing_array a = { NULL, slices > 0 ? count / (size_t)slices : 0, count, path };
    if (npy_read_slices(&(slice_sink){ set_slice, &a, slices, a.reals }, path, dimensions, shape, f))
        return a.data ? a.data : memory_alloc(0, path);
    memory_free(a.data);
    return NULL;
}
