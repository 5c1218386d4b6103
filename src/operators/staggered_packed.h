/* staggered_packed.h - the staggered Dirac operator on vectors in a format other than native.
 *
 * Works on packed copies of X and N (staggered_links.h); solvers use it where they can do with fewer digits. */
#ifndef KILN_OPERATORS_STAGGERED_PACKED_H
#define KILN_OPERATORS_STAGGERED_PACKED_H

#include "src/operators/linop.h"
#include "src/operators/staggered_links.h"

typedef struct staggered_packed staggered_packed;

/* Memory for copies of all sets; nothing is packed yet.  The links are borrowed. */
staggered_packed *staggered_packed_create(const staggered_links *s, vector_format f);
void staggered_packed_free(staggered_packed *p);
size_t staggered_packed_bytes(const staggered_links_params *params, const int extents[4], vector_format f);

/* Packs anew what has changed since the last time.  To be called after staggered_links_update. */
void staggered_packed_update(staggered_packed *p);

/* out <- D in, from one parity to the other, or all to all. */
void staggered_packed_hop(vec *out, const staggered_packed *p, int set, const vec *in);

/* K on the even (or odd) sites, as an operator on vectors of this format; `between` is a scratch vector of it on the
 * other parity, borrowed like the links; more of them make room for larger batches, as in staggered.h. */
typedef struct {
    linop base;
    const staggered_packed *links;
    int set;
    vec *between[BATCH_TOGETHER];
} staggered_packed_normal_op;
staggered_packed_normal_op staggered_packed_normal_operator(const staggered_packed *p, int set, vec *between);
void staggered_packed_normal_room(staggered_packed_normal_op *k, vec *const *between, int count);

#endif
