/* memory.c - a header before every block stores its size, so that the totals are exact. */
#include "src/base/memory.h"

#include "src/base/error.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Of this rank, which may be a thread: it frees what it allocated. */
static _Thread_local size_t bytes_now, bytes_peak;

void *memory_alloc(size_t bytes, const char *what)
{
    require(bytes < SIZE_MAX / 2, "%s needs %zu bytes of host memory: more than can be addressed", what, bytes);
    size_t rounded = (bytes + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT;
    char *block = aligned_alloc(MEMORY_ALIGNMENT, rounded + MEMORY_ALIGNMENT);
    require(block != NULL, "out of host memory: %s needs %zu bytes (%zu in use)", what, bytes, memory_bytes_now());
    memcpy(block, &bytes, sizeof bytes);
    memset(block + MEMORY_ALIGNMENT, 0, rounded);

    bytes_now += bytes;
    if (bytes_now > bytes_peak)
        bytes_peak = bytes_now;
    return block + MEMORY_ALIGNMENT;
}

void memory_free(void *p)
{
    if (!p)
        return;
    bytes_now -= memory_bytes_of(p);
    free((char *)p - MEMORY_ALIGNMENT);
}

size_t memory_bytes_of(const void *p)
{
    size_t bytes;
    memcpy(&bytes, (const char *)p - MEMORY_ALIGNMENT, sizeof bytes);
    return bytes;
}

size_t memory_bytes_now(void)
{
    return bytes_now;
}

size_t memory_bytes_peak(void)
{
    return bytes_peak;
}
