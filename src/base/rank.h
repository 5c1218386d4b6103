/* rank.h - the number of the rank that the calling thread works for, as messages name it (src/comm has ranks).
 *
 * Fatal errors of rank N > 0 begin with "kiln: rank N: "; with groups of ranks, "kiln: rank N (group G): ".  Log lines
 * are those of rank 0: the others log nothing. */
#ifndef KILN_BASE_RANK_H
#define KILN_BASE_RANK_H

int rank_number(void);

/* How messages name a rank by its number among all ranks: "rank 3", and with groups of ranks "rank 3 (group 1)". */
typedef struct { char s[48]; } rank_text;
rank_text rank_name(int rank);

/* Set the rank of this thread. */
void rank_of_thread(int rank);

/* Set the rank of all threads of this process that have not called rank_of_thread. */
void rank_of_process(int rank);

/* For names in messages: rank N belongs to group N / ranks; 0: there are no groups.  Holds for this thread if it has
 * called rank_of_thread, else for all threads of the process that have not. */
void rank_groups(int ranks);

#endif
