/* square_facts.h - facts about the bits of solutions of a square system, by any method. */
#ifndef KILN_TESTS_SOLVERS_SQUARE_FACTS_H
#define KILN_TESTS_SOLVERS_SQUARE_FACTS_H

#include "tests/solvers/square_system.h"

/* Systems with C^+C, solved together, have the bits and iterations of separate solves.  prepare: a change of each
 * right-hand side, or NULL. */
enum { SEPARATE_SYSTEMS = 3 };
void separate_solves_facts(const square_request *r, const dirac_goal *goal, void (*prepare)(vec *b));

/* What makes s->x; returns iterations. */
typedef int square_solve(square_system *s);

/* On two ranks s->x has the bits, and the solve the iterations, of one rank. */
void square_ranks_facts(const square_request *r, square_solve *solve);

#endif
