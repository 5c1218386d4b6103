/* cg_space.h - working vectors of solvers. */
#ifndef KILN_SOLVERS_CG_SPACE_H
#define KILN_SOLVERS_CG_SPACE_H

#include "src/solvers/krylov.h"
#include "src/solvers/solver.h"

enum { CG_VECTORS = 3 };

struct cg_space {
    vec *v[CG_VECTORS];                                /* of cg_solve: r[0], its direction, more[0] */
    int slots;
    vec *r[BATCH_MAX_RHS], *more[BATCH_MAX_RHS];       /* one of each for each system */
    bool wide;
    vec *residuals[BATCH_MAX_RHS][KRYLOV_RING], *turn[BATCH_MAX_RHS][2];     /* see krylov.h; the last residual is r */
    krylov *engine;
};

#endif
