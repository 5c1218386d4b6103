/* staggered_force.h - the force of staggered quarks: outer products, and the chain rule back to the thin links.
 *
 *     S = sum_fields phi^+ r(K) phi,  r(x) = c + sum_k a_k/(x + b_k);  X_k = (K + b_k)^-1 phi on even sites,
 *     Y_k = D_oe X_k on odd ones;  psi_k = X_k and Y_k:
 *     dS = 2 Re Tr sum [dX_mu(x) h1_mu(x)^+ + dN_mu(x) h3_mu(x)^+],
 *     h1_mu(x) = eps(x) sum_k a_k psi_k(x) psi_k(x+mu)^+,   h3_mu(x) likewise with x + 3mu,   eps = +1 even, -1 odd.
 *
 * The chain rule then goes back through the levels of smearing, the last level first.  h of a link transforms like the
 * link. */
#ifndef KILN_OPERATORS_STAGGERED_FORCE_H
#define KILN_OPERATORS_STAGGERED_FORCE_H

#include "src/operators/staggered.h"
#include "src/lattice/kernels.h"

typedef struct staggered_force staggered_force;

/* Memory for forces on links like `u`.  The chain rule is computed in precision `p`, for any precision of u.
 * `filter`: on links whose smallest eigenvalue of V^+V is below it, the derivative of the projection uses V^+V +
 * filter. */
staggered_force *staggered_force_create(const staggered_links_params *params, double filter, const gauge *u,
                                        precision p);
void staggered_force_free(staggered_force *f);
/* `shared`: in staggered_force_finish. */
memory_need staggered_force_bytes(const staggered_links_params *params, const lattice_shape *shape, precision chain,
                                  precision links);

/* A force: begin; add outer products of `count` solutions with residues a[k] (x[k] on even sites, y[k] = D_oe x[k] on
 * odd sites, in any precision) for the links of one set; finish with P <- P + weight F.  add may be called any number
 * of times.  `size` as in actions/monomial.h. */
void staggered_force_begin(staggered_force *f);
void staggered_force_add(staggered_force *f, int set, const double *a, vec *const *x, vec *const *y, int count);
void staggered_force_finish(staggered_force *f, const staggered_links *s, const gauge *u, momentum *p, double weight,
                            sum_cells size);

/* Facts about the derivative of the projection, in all forces since the last call. */
enum { EIGENVALUE_BINS = 5 };                          /* below 1e-2, 1e-3, 1e-4, 1e-5, 1e-6 */
typedef struct {
    double smallest_eigenvalue;                        /* of V^+V; 0: no projection was differentiated */
    double below[EIGENVALUE_BINS];                     /* number of links with an eigenvalue below each bound */
    double filtered;                                   /* number of filtered links */
    int64_t first_filtered;                            /* lexicographic rank of the first filtered site; -1: none */
} force_facts;
force_facts staggered_force_facts(staggered_force *f);

#endif
