/* key_list.h - a set of digests, as a list in ascending order. */
#ifndef KILN_ENSEMBLE_KEY_LIST_H
#define KILN_ENSEMBLE_KEY_LIST_H

#include <stdbool.h>
#include <stdint.h>

/* Begins as { 0 }. */
typedef struct { int count, capacity; uint64_t *item; } key_list;

bool key_list_has(const key_list *list, uint64_t key);
void key_list_add(key_list *list, uint64_t key);
void key_list_free(key_list *list);

#endif
