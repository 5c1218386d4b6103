/* eigen_space.h - the vectors of an eigensolver (eigensolver.h): known pairs, Lanczos vectors, Ritz vectors. */
#ifndef KILN_SOLVERS_EIGEN_SPACE_H
#define KILN_SOLVERS_EIGEN_SPACE_H

#include "src/lattice/vec.h"
#include "src/solvers/ritz.h"

/* An eigenpair: |x| = 1; value: lambda; residual: |A x - lambda x| / upper (eigensolver.h).  x is borrowed. */
typedef struct { vec *x; double value, residual; } eigen_pair;

/* The default number of Lanczos vectors for `count` eigenpairs. */
int eigen_basis(int count);

/* Memory for the pairs and for Lanczos, with vectors like the native vector `like`. */
typedef struct eigen_space eigen_space;
eigen_space *eigen_space_create(const vec *like, int count, int basis);
void eigen_space_free(eigen_space *s);
int eigen_space_vectors(int count, int basis);            /* number of vectors in it */
const eigen_pair *eigen_pairs(const eigen_space *s);      /* of the last call of eigen_lowest, ascending; borrowed */

/* ---- for eigensolver.c */

enum { EIGEN_SCRATCH = 3 };

struct eigen_space {
    int count, basis, spares;
    eigen_pair *pair;                    /* [count], ascending */
    int found;                           /* number of known pairs */
    vec **v;                             /* [basis + 1]: Lanczos vectors */
    vec **spare;                         /* [spares]: Ritz vectors at a restart */
    vec *scratch[EIGEN_SCRATCH];
    ritz *projected;
};

/* The number of Ritz vectors that a restart keeps when `wanted` pairs are requested. */
int eigen_kept(int wanted, int basis);

/* w <- w - sum_i v_i v_i^+ w over the known pairs and the first `count` Lanczos vectors, twice.  Returns |w|. */
double eigen_orthogonalize(const eigen_space *s, vec *w, int count);

/* spare[i] <- Ritz vector i, after ritz_solve of `projected` */
void eigen_make_ritz_vector(const eigen_space *s, int i);

/* The first `kept` Ritz vectors, and the last Lanczos vector after them, become the first Lanczos vectors. */
void eigen_restart(eigen_space *s, int kept);

void eigen_exchange(vec **a, vec **b);                    /* swaps the pointers */

#endif
