/* memory.h - host memory: aligned, zeroed, named; the message of a failure names what needed how much. */
#ifndef KILN_BASE_MEMORY_H
#define KILN_BASE_MEMORY_H

#include <stddef.h>

enum { MEMORY_ALIGNMENT = 64 };   /* a cache line, and the widest CPU vector */

/* `bytes` zeroed bytes aligned to MEMORY_ALIGNMENT; never NULL (fatal when there is no memory: the
 * message names `what` and the size).  Release with memory_free. */
void *memory_alloc(size_t bytes, const char *what);
void  memory_free(void *p);

/* The number of bytes with which a block was requested. */
size_t memory_bytes_of(const void *p);

/* Bytes of this rank in blocks of memory_alloc that have not been released: now, and the maximum so far.  Ranks may be
 * threads, and each counts its own: the thread that allocated a block must release it. */
size_t memory_bytes_now(void);
size_t memory_bytes_peak(void);

#endif
