/* device_pool.h - blocks of memory in larger chunks: the book-keeping of device_alloc, on the host.
 *
 * Small requests share chunks of one size.  A large request gets a separate chunk, or a gap in a large chunk.  A large
 * chunk without blocks goes back to its source at once; small chunks stay as long as there are blocks elsewhere.
 *
 * Other processes open a whole chunk and find blocks by their offsets.  A chunk that is lent to them does not go back
 * before device_pool_keep(p, false). */
#ifndef KILN_GPU_DEVICE_POOL_H
#define KILN_GPU_DEVICE_POOL_H

#include <stdbool.h>
#include <stddef.h>

enum { POOL_ALIGNMENT = 256, POOL_NAME_BYTES = 64 };
#define POOL_CHUNK_BYTES ((size_t)64 << 20)

typedef struct device_pool device_pool;

/* Where chunks come from.  get: NULL if there is no memory. */
typedef struct {
    void *(*get)(void *context, size_t bytes);
    void (*give_back)(void *context, void *chunk);
    void *context;
} chunk_source;

/* chunk_bytes: size of a chunk for small requests; 0: each request gets a chunk of exactly its size. */
device_pool *device_pool_create(chunk_source from, size_t chunk_bytes);
void device_pool_free(device_pool *p);                       /* with all chunks */

/* A block, aligned to POOL_ALIGNMENT; NULL if there is no memory. */
void *device_pool_alloc(device_pool *p, size_t bytes);

/* Returns the bytes that were asked for; fatal if there is no such block. */
size_t device_pool_return(device_pool *p, void *block);

/* true: keep chunks without blocks from now on; they go back only if device_pool_alloc would find no memory otherwise,
 * and lent chunks not even then.  false: give them back, lent chunks too. */
void device_pool_keep(device_pool *p, bool keep);

/* Returns the chunk that contains an address of a block, which is lent from now on; NULL if there is none.  `name`: for
 * the caller, who stores there how other processes open the chunk; zero at first. */
typedef struct { char *memory; unsigned char name[POOL_NAME_BYTES]; bool named; } lent_chunk;
lent_chunk *device_pool_lend(device_pool *p, const void *address);

/* Bytes of chunks without blocks. */
size_t device_pool_unused(const device_pool *p);

#endif
