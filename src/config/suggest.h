/* suggest.h - "did you mean ...?": the known word nearest to one that is not known.
 *
 *     near_miss n = { .word = "trajectorys" };
 *     for (...) suggest_try(&n, known[i]);
 *     suggest_report(&message, &n);
 */
#ifndef KILN_CONFIG_SUGGEST_H
#define KILN_CONFIG_SUGGEST_H

#include "src/base/text.h"

enum { SUGGEST_WORD_MAX = 64 };      /* longer words get no suggestion */

typedef struct { const char *word, *best; int distance; } near_miss;

/* Make `candidate` (borrowed) the best one if it is near, with at most one edit per three letters, and nearer than
 * those before. */
void suggest_try(near_miss *n, const char *candidate);

/* Append `; did you mean "best"?`, or nothing if no candidate is near. */
void suggest_report(text *message, const near_miss *n);

/* The smallest number of edits from `a` to `b`: insert, delete or replace a letter, or exchange two neighbors.  Upper
 * and lower case are equal, and so are '-' and '_'.  Both words have at most SUGGEST_WORD_MAX bytes. */
int suggest_edit_distance(const char *a, const char *b);

#endif
