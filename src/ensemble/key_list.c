/* key_list.c - binary search in a sorted list of keys. */
#include "src/ensemble/key_list.h"

#include "src/base/error.h"

#include <stdlib.h>
#include <string.h>

/* The number of keys in the list that are smaller. */
static int rank_of(const key_list *list, uint64_t key)
{
    int low = 0, high = list->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (list->item[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool key_list_has(const key_list *list, uint64_t key)
{
    const int rank = rank_of(list, key);
    return rank < list->count && list->item[rank] == key;
}

void key_list_add(key_list *list, uint64_t key)
{
    const int rank = rank_of(list, key);
    if (rank < list->count && list->item[rank] == key)
        return;
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 1024;
        list->item = realloc(list->item, (size_t)list->capacity * sizeof *list->item);
        require(list->item != NULL, "out of host memory: the keys of measurements");
    }
    memmove(list->item + rank + 1, list->item + rank, (size_t)(list->count - rank) * sizeof *list->item);
    list->item[rank] = key;
    list->count++;
}

void key_list_free(key_list *list)
{
    free(list->item);
    *list = (key_list){ 0 };
}
