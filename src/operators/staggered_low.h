/* staggered_low.h - the operator of staggered quarks in another precision or format: for solvers in mixed precision,
 * and where lower precision is sufficient.
 *
 * It uses copies of X and N (staggered_links.h), in a native precision or in fixed point; staggered_low_update
 * renews them.  N is stored in 13 numbers (site/formats.h) if its links are U(3) matrices within the precision of the
 * copies: products of three HISQ links W, or of three thin links, are.  Otherwise N is stored in 18 numbers.
 *
 * Bytes of a long link, and flops to compute its matrix from the stored numbers (a division counted as one):
 *
 *               single    double    half, int20    int30    flops
 *     in 18     72        144       36             72       0
 *     in 13     52        104       28             56       80 */
#ifndef KILN_OPERATORS_STAGGERED_LOW_H
#define KILN_OPERATORS_STAGGERED_LOW_H

#include "src/operators/staggered.h"

typedef struct staggered_low staggered_low;

/* Memory for the links of all sets in the form that vectors of format f need; p: the precision if f is native.  s is
 * borrowed; nothing is copied yet.  N is in 13 numbers if possible; _as: in the given storage, for tests and
 * studies. */
staggered_low *staggered_low_create(const staggered_links *s, vector_format f, precision p);
staggered_low *staggered_low_create_as(const staggered_links *s, naik_storage naik, vector_format f, precision p);
void staggered_low_free(staggered_low *low);

/* Bytes of staggered_low_create, and of _as.  The first update that must store N in 18 numbers after all allocates more
 * memory, and logs how much. */
size_t staggered_low_bytes(const staggered_links_params *params, const lattice_shape *shape, vector_format f,
                           precision p);
size_t staggered_low_bytes_as(const staggered_links_params *params, naik_storage naik, const lattice_shape *shape,
                              vector_format f, precision p);

/* Copies the links that have changed since the last update.  Call it after staggered_links_update. */
void staggered_low_update(staggered_low *low);

/* Whether N is in fewer numbers than 18 after the last update. */
bool staggered_low_is_compressed(const staggered_low *low);

/* A vector of this format. */
vec *staggered_low_vec(const staggered_low *low, parity_set on);

/* out <- D in, from one parity to the other, or all to all. */
void staggered_low_hop(vec *out, const staggered_low *low, int set, const vec *in);

/* K of one set.  `between` is a scratch vector of this format on the other parity, borrowed like the links.  The
 * operator stays valid after updates.  staggered_low_set_work: more scratch vectors, for larger batches, as in
 * staggered.h. */
typedef struct {
    linop base;
    const staggered_low *links;
    int set;
    vec *between[BATCH_MAX_RHS];
} staggered_low_op;
staggered_low_op staggered_low_operator(const staggered_low *low, int set, vec *between);
void staggered_low_set_work(staggered_low_op *op, vec *const *between, int count);

#endif
