/* hdf5_file.h - write an HDF5 file: groups, arrays, texts, and attributes that say what they are.
 *
 * The file is complete or absent: it is written under a temporary name in the same folder, synchronized, and then gets
 * its name (a hard link); no file is overwritten.  Names are paths from the root, "/record/plaquette/average"; missing
 * groups are created. */
#ifndef KILN_IO_HDF5_FILE_H
#define KILN_IO_HDF5_FILE_H

#include "src/base/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct hdf5_file hdf5_file;

/* "1.10.8"; NULL where this program was built without the library. */
const char *hdf5_version(void);

/* NULL with the reason, also without the library. */
hdf5_file *hdf5_file_create(const char *path, failure *f);
bool hdf5_file_commit(hdf5_file *h, failure *f);         /* h is freed either way; on failure there is no file */
void hdf5_file_abandon(hdf5_file *h);

/* Write an array [rows] (columns 0) or [rows][columns] in C order: doubles, 64-bit integers, or texts of at most
 * `length` bytes, row i at value + i * length, padded with zeros.  Little endian in the file.  False with the
 * reason. */
bool hdf5_put_reals(hdf5_file *h, const char *name, const double *value, size_t rows, size_t columns, failure *f);
bool hdf5_put_integers(hdf5_file *h, const char *name, const int64_t *value, size_t rows, size_t columns, failure *f);
bool hdf5_put_texts(hdf5_file *h, const char *name, const char *value, size_t length, size_t rows, failure *f);

/* A text attribute of an object that exists; "/" is the file. */
bool hdf5_put_attribute(hdf5_file *h, const char *object, const char *key, const char *value, failure *f);

/* A 64-bit integer as an attribute. */
bool hdf5_put_count(hdf5_file *h, const char *object, const char *key, int64_t value, failure *f);

#endif
