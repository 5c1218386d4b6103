/* small_system.h - a small lattice with random links: K on even sites, a source, and workspace of solvers. */
#ifndef KILN_TESTS_SOLVERS_SMALL_SYSTEM_H
#define KILN_TESTS_SOLVERS_SMALL_SYSTEM_H

#include "src/operators/staggered.h"
#include "src/solvers/solver.h"

typedef struct {
    lattice *l;
    gauge *fat, *naik;
    vec *between, *b, *x;             /* x is zero */
    staggered_normal_op k;
    cg_space *w;
} small_system;

void small_create(small_system *s, const int extents[4], place where, precision p);
void small_free(small_system *s);

#endif
