/* slices.h - a large array that functions pass to each other slice by slice, in order, so that host memory never holds
 * the whole array.
 *
 * Slices come from a source and go to a sink: a field (field_slices.h), data that is computed from fields slice by
 * slice, or an array in memory.  Pointers are borrowed; a slice is valid only during the call.  Slices are numbered
 * 0 .. count - 1. */
#ifndef KILN_LATTICE_SLICES_H
#define KILN_LATTICE_SLICES_H

#include <stddef.h>

typedef struct {
    void (*get)(double *slice, const void *from, int number);
    const void *from;
    int count;
    size_t reals;                                    /* doubles in a slice */
} slice_source;

typedef struct {
    void (*set)(void *to, int number, const double *slice);
    void *to;
    int count;
    size_t reals;
} slice_sink;

/* An array in memory: `count` slices of `reals` numbers, one after the other. */
typedef struct { double *numbers; size_t reals; } slice_array;
slice_source slice_array_source(const slice_array *a, int count);
slice_sink slice_array_sink(slice_array *a, int count);

/* Memory for a slice, released with memory_free. */
double *slice_alloc(size_t reals);

#endif
