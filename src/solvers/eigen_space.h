/* eigen_space.h - the vectors of an eigensolver (eigensolver.h): known pairs, vectors of Lanczos, Ritz vectors. */
#ifndef KILN_SOLVERS_EIGEN_SPACE_H
#define KILN_SOLVERS_EIGEN_SPACE_H

#include "src/solvers/eigensolver.h"
#include "src/solvers/ritz.h"

enum { EIGEN_SCRATCH = 3 };

struct eigen_space {
    int count, basis, spares;
    eigen_pair *pair;                    /* [count], ascending */
    int found;                           /* how many of them are known */
    vec **v;                             /* [basis + 1]: the vectors of Lanczos */
    vec **spare;                         /* [spares]: Ritz vectors at a restart */
    vec *scratch[EIGEN_SCRATCH];
    ritz *projected;
};

/* The number of Ritz vectors that are kept at a restart when `wanted` pairs are requested. */
int eigen_kept(int wanted, int basis);

/* w <- w - sum_i v_i v_i^+ w over the known pairs and the first `count` vectors of Lanczos, twice.  Returns |w|. */
double eigen_orthogonalize(const eigen_space *s, vec *w, int count);

/* spare[i] <- Ritz vector i of the vectors that `projected` was solved for */
void eigen_make_ritz_vector(const eigen_space *s, int i);

/* The first `kept` Ritz vectors, and the vector that followed, become the first vectors of Lanczos. */
void eigen_restart(eigen_space *s, int kept);

void eigen_exchange(vec **a, vec **b);

#endif
