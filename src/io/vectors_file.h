/* vectors_file.h - vectors of a lattice and numbers that belong to them, in a LIME file:
 *
 *     kiln-vectors            text: what they are, lattice, parity, slabs, how many vectors and numbers
 *     kiln-vectors-numbers    the numbers
 *     kiln-vectors-data       vector after vector, each in the order of field_slices.h
 *     kiln-vectors-digest     digest64 of the data of all records before it, as 16 hexadecimal digits
 *     kiln-vectors-links      digest of the links of the vectors, in the same way; a message of its own, which earlier
 *                             versions did not write
 *
 * Reals are doubles, so that nothing is rounded, and big endian.  The calls are collective (comm/comm.h). */
#ifndef KILN_IO_VECTORS_FILE_H
#define KILN_IO_VECTORS_FILE_H

#include "src/base/error.h"
#include "src/lattice/vec.h"

/* All pointers are borrowed. */
typedef struct {
    const char *what;               /* one word: what the vectors are */
    vec *const *x;                  /* x[count], at least one; native, in double precision, all of one shape */
    int count;
    double *number;                 /* number[numbers] */
    int numbers;
    uint64_t links;                 /* links_digest of their links, to be written */
    const char *other_name;         /* of the file if another one appears under its own; NULL: none */
} vectors_of_file;

/* Writes a temporary file and renames it; `replace` allows an existing file.  False with the reason. */
bool vectors_file_write(const char *path, const vectors_of_file *v, bool replace, failure *f);

/* Fills vectors and numbers.  VECTORS_ABSENT: there is no file.  VECTORS_OTHER: a file of vectors, but with another
 * description, or damaged.  VECTORS_FOREIGN: not a file of vectors, or not readable.  The last two give the reason in
 * `f`, and the vectors may have been overwritten. */
typedef enum { VECTORS_READ, VECTORS_ABSENT, VECTORS_OTHER, VECTORS_FOREIGN } vectors_state;
vectors_state vectors_file_read(const char *path, const vectors_of_file *v, failure *f);

/* Whose links the vectors of a file have: those with this digest, others, or no record says so.  The vectors are not
 * read.  LINKS_UNKNOWN also without a file of vectors. */
typedef enum { LINKS_SAME, LINKS_OTHER, LINKS_UNKNOWN } file_links;
file_links vectors_file_links(const char *path, uint64_t links);

#endif
