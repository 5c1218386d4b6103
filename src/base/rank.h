/* rank.h - the number of the rank that the calling thread works for, as messages name it (src/comm has ranks).
 *
 * Fatal errors of rank N > 0 begin with "kiln: rank N: ".  Log lines are those of rank 0: the others log nothing. */
#ifndef KILN_BASE_RANK_H
#define KILN_BASE_RANK_H

int rank_number(void);

/* From now on this thread works for `rank`. */
void rank_of_thread(int rank);

/* So do all threads of this process that have not said otherwise. */
void rank_of_process(int rank);

#endif
