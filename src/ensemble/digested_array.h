/* digested_array.h - arrays in folders, written and read together with their digest. */
#ifndef KILN_ENSEMBLE_DIGESTED_ARRAY_H
#define KILN_ENSEMBLE_DIGESTED_ARRAY_H

#include "src/ensemble/folder_files.h"

/* The digest of an array that arrives in pieces of any length: digest64 of the digests of its blocks, which threads
 * compute in parallel. */
enum { ARRAY_BLOCK = 1 << 14 };
typedef struct { uint64_t of_blocks; size_t pending; double block[ARRAY_BLOCK]; } array_digest;
void array_digest_begin(array_digest *d);
void array_digest_add(array_digest *d, const double *x, size_t count);
uint64_t array_digest_end(array_digest *d);

/* folder_write and folder_read (folder_files.h) of an array; *digest <- the digest of its numbers. */
bool digested_write(uint64_t *digest, const char *folder, const char *name, const slice_source *from,
                    array_shape shape, failure *f);
bool digested_read(uint64_t *digest, const slice_sink *to, const char *folder, const char *name, array_shape shape,
                   failure *f);

#endif
