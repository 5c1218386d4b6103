/* rank_bodies.h - what ranks do in the tests of src/comm, whether they are threads or processes. */
#ifndef KILN_TESTS_COMM_RANK_BODIES_H
#define KILN_TESTS_COMM_RANK_BODIES_H

enum { MOST_RANKS = 8 };

/* Called on every rank, with the address of their number; 0 where the rank saw what it should. */
typedef int rank_body(void *ranks);

/* Bodies that return, each with a sentence that holds for any number of ranks; ends with { 0 }. */
typedef struct { const char *name, *sentence; rank_body *body; } rank_fact;
extern const rank_fact rank_facts[];

/* Bodies that do not return, or not with 0, because of an error of the program or of one rank.  Ends with { 0 }. */
typedef struct { const char *name; rank_body *body; } rank_ending;
extern const rank_ending rank_endings[];

/* NULL if there is none of this name. */
rank_body *rank_body_named(const char *name);

#endif
