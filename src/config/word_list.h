/* word_list.h - find a word in a list of known words.
 *
 * The reason for an unknown word is: "pear" is not one of peer, nccl, host; did you mean "peer"? */
#ifndef KILN_CONFIG_WORD_LIST_H
#define KILN_CONFIG_WORD_LIST_H

#include "src/base/text.h"

/* Word i of a list; NULL after the last one. */
typedef const char *word_at(const void *list, int i);

/* The index of a word; -1 with the reason. */
int word_list_find(const char *word, word_at *at, const void *list, failure *f);

/* The same for an array of names, NULL at the end. */
int word_list_find_name(const char *word, const char *const *names, failure *f);

#endif
