/* state_memory.h - named lists of numbers in a state: what later trajectories depend on besides links, input and random
 * numbers.
 *
 * Files store them without knowing their meaning. */
#ifndef KILN_IO_STATE_MEMORY_H
#define KILN_IO_STATE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

enum { STATE_LISTS = 192, STATE_NUMBERS = 8 };

typedef struct {
    char name[48];
    int64_t count;
    double value[STATE_NUMBERS];
} state_list;

typedef struct { int64_t count; state_list list[STATE_LISTS]; } state_memory;      /* lists from `count` on are zero */

/* The list of that name, NULL if there is none. */
const state_list *state_memory_find(const state_memory *m, const char *name);

/* Compares names, counts and bits; all non-finite numbers are equal. */
bool state_memory_same(const state_memory *a, const state_memory *b);

/* Continue a digest64 (checksum.h) with names and numbers; without lists it returns `digest`. */
uint64_t state_memory_digest(uint64_t digest, const state_memory *m);

#endif
