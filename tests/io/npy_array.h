/* npy_array.h - .npy files read and written as arrays in memory. */
#ifndef KILN_TESTS_IO_NPY_ARRAY_H
#define KILN_TESTS_IO_NPY_ARRAY_H

#include "src/io/npy.h"

/* npy_write_slices of `shape[0] x ... x shape[dimensions-1]` doubles. */
bool npy_write(const char *path, const double *data, int dimensions, const size_t *shape, failure *f);

/* npy_read_slices of a whole array (memory_free), or NULL with the reason. */
double *npy_read(const char *path, int dimensions, const size_t *shape, failure *f);

#endif
