/* cg_space.h - the vectors that solvers share. */
#ifndef KILN_SOLVERS_CG_SPACE_H
#define KILN_SOLVERS_CG_SPACE_H

#include "src/solvers/solver.h"

enum { CG_VECTORS = 3 };

struct cg_space { vec *v[CG_VECTORS]; };

#endif
