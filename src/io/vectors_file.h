/* vectors_file.h - vectors of a lattice and numbers that belong to them, in a LIME file of one message:
 *
 *     kiln-vectors            text: what they are, lattice, parity, slabs, how many vectors and numbers
 *     kiln-vectors-numbers    the numbers
 *     kiln-vectors-data       vector after vector, each in the order of field_slices.h
 *     kiln-vectors-digest     digest64 of the bytes of all records before it
 *
 * Reals have 64 bits and are big endian, so that nothing is rounded.  The calls are collective (comm/comm.h). */
#ifndef KILN_IO_VECTORS_FILE_H
#define KILN_IO_VECTORS_FILE_H

#include "src/base/error.h"
#include "src/lattice/vec.h"

/* Borrowed; `what` is one word that names what the vectors are.  They are native, in double precision. */
typedef struct {
    const char *what;
    vec *const *x;
    int count;
    double *number;
    int numbers;
} vectors_of_file;

/* Writes under a temporary name and renames.  `replace`: an existing file. */
bool vectors_file_write(const char *path, const vectors_of_file *v, bool replace, failure *f);

/* Fills vectors and numbers.  VECTORS_ABSENT: there is no file.  VECTORS_OTHER: a file of vectors, but of another
 * description, or it is damaged.  VECTORS_FOREIGN: no file of vectors, or not readable.  The last two with the reason;
 * the vectors may have been overwritten. */
typedef enum { VECTORS_READ, VECTORS_ABSENT, VECTORS_OTHER, VECTORS_FOREIGN } vectors_state;
vectors_state vectors_file_read(const char *path, const vectors_of_file *v, failure *f);

#endif
