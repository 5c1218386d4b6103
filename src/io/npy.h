/* npy.h - read and write NumPy .npy files of float64 in C order, for exchange with other codes.
 *
 * Format: numpy.lib.format, versions 1.0 and 2.0 read, 1.0 written; '<f8' only, fortran_order False. */
#ifndef KILN_IO_NPY_H
#define KILN_IO_NPY_H

#include "src/base/error.h"
#include "src/lattice/slices.h"

#include <stddef.h>

enum { NPY_MAX_DIMENSIONS = 12 };

/* Write `shape[0] x ... x shape[dimensions-1]` doubles, slice by slice, under a temporary name, which is renamed when
 * complete.  Replaces an existing array, but no other file. */
bool npy_write_slices(const char *path, const slice_source *from, int dimensions, const size_t *shape, failure *f);

/* Read an array that must have exactly this shape and only finite numbers, slice by slice.  False with the reason; the
 * sink then has the slices before the fault. */
bool npy_read_slices(const slice_sink *to, const char *path, int dimensions, const size_t *shape, failure *f);

#endif
