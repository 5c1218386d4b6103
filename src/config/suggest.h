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

/* Make `candidate` (borrowed) the best if it is nearer than what was tried before, and near at all. */
void suggest_try(near_miss *n, const char *candidate);

/* Append `; did you mean "best"?`, or nothing if no candidate is near. */
void suggest_report(text *message, const near_miss *n);

/* Letters to insert, delete, replace, or exchange with their neighbor until `a` is `b`; upper and
 * lower case count as the same, and so do '-' and '_'.  Both words at most SUGGEST_WORD_MAX long. */
int suggest_edit_distance(const char *a, const char *b);

#endif
