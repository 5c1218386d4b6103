/* eigen_space.h - the vectors of an eigensolver (eigensolver.h): known pairs, vectors of Lanczos, Ritz vectors. */
#ifndef KILN_SOLVERS_EIGEN_SPACE_H
#define KILN_SOLVERS_EIGEN_SPACE_H

#include "src/lattice/vec.h"
#include "src/solvers/ritz.h"

/* The pairs of the last call, in ascending order: |x| = 1; residual: |A x - lambda x| / upper.  Borrowed. */
typedef struct { vec *x; double value, residual; } eigen_pair;

/* The number of vectors of Lanczos for `count` eigenpairs, where the user gives none. */
int eigen_basis(int count);

/* Memory for the pairs and for Lanczos, with vectors like the native vector `like`. */
typedef struct eigen_space eigen_space;
eigen_space *eigen_space_create(const vec *like, int count, int basis);
void eigen_space_free(eigen_space *s);
int eigen_space_vectors(int count, int basis);            /* how many vectors it has */
const eigen_pair *eigen_pairs(const eigen_space *s);

/* ---- for eigensolver.c */

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
