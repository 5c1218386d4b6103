/* memory.h - host memory: aligned, zeroed, named; the message of a failure names what needed how much. */
#ifndef KILN_BASE_MEMORY_H
#define KILN_BASE_MEMORY_H

#include <stddef.h>

enum { MEMORY_ALIGNMENT = 64 };   /* a cache line, and the widest CPU vector */

/* `bytes` zeroed bytes aligned to MEMORY_ALIGNMENT; never NULL (fatal when there is no memory: the
 * message names `what` and the size).  Release with memory_free. */
void *memory_alloc(size_t bytes, const char *what);
void  memory_free(void *p);

/* The size that a block was asked for with. */
size_t memory_bytes_of(const void *p);

/* Bytes of host memory that memory_alloc has allocated for this rank and nobody has released: now, and their maximum so
 * far.  A rank may be a thread: the thread that allocated a block releases it. */
size_t memory_bytes_now(void);
size_t memory_bytes_peak(void);

#endif
