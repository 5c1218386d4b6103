/* cg_space.h - working vectors of solvers. */
#ifndef KILN_SOLVERS_CG_SPACE_H
#define KILN_SOLVERS_CG_SPACE_H

#include "src/solvers/krylov.h"
#include "src/solvers/solver.h"

enum { CG_VECTORS = 3 };

struct cg_space {
    vec *v[CG_VECTORS];
    int slots;
    vec *r[BATCH_MAX_RHS], *more[BATCH_MAX_RHS];       /* two for each system; r[0] is v[0], more[0] is v[2] */
    bool wide;
    vec *residuals[BATCH_MAX_RHS][KRYLOV_RING], *turn[BATCH_MAX_RHS][2];     /* see krylov.h; the last residual is r */
    krylov *engine;
};

#endif
