/* state_memory.h - named lists of numbers that go with a state: what the trajectories to come depend on beside links,
 * input and random numbers.
 *
 * Whose numbers they are is no business of files. */
#ifndef KILN_IO_STATE_MEMORY_H
#define KILN_IO_STATE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

enum { STATE_LISTS = 32, STATE_NUMBERS = 8 };

typedef struct {
    char name[48];
    int64_t count;
    double value[STATE_NUMBERS];
} state_list;

typedef struct { int64_t count; state_list list[STATE_LISTS]; } state_memory;      /* what is not counted is zero */

/* The list of that name, NULL if there is none. */
const state_list *state_memory_find(const state_memory *m, const char *name);

bool state_memory_same(const state_memory *a, const state_memory *b);

/* Continue a digest64 over all of it; without lists the digest stays. */
uint64_t state_memory_digest(uint64_t digest, const state_memory *m);

#endif
