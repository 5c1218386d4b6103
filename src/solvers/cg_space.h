/* cg_space.h - the struct of working vectors of conjugate gradients (cg_space_create in solver.h). */
#ifndef KILN_SOLVERS_CG_SPACE_H
#define KILN_SOLVERS_CG_SPACE_H

#include "src/solvers/krylov.h"
#include "src/solvers/solver.h"

enum { CG_VECTORS = 3 };

struct cg_space {
    vec *v[CG_VECTORS];                                /* of cg_solve: r[0], the direction, more[0] */
    int slots;
    vec *r[BATCH_MAX_RHS], *more[BATCH_MAX_RHS];       /* of each slot: residual; scratch, or the best solution */
    bool wide;                                         /* cg_space_widen: there are vectors for step groups */
    vec *residuals[BATCH_MAX_RHS][KRYLOV_RING], *alternate[BATCH_MAX_RHS][2];   /* krylov_vectors.h; last residual: r */
    krylov *engine;
};

#endif
