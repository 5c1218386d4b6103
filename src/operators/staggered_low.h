/* staggered_low.h - the operator of staggered quarks in another precision or format: for the inside of mixed solvers,
 * and wherever fewer digits do.
 *
 * Works on copies of X and N (staggered_links.h), in a native precision or in fixed point, which follow those they are
 * borrowed from.  N is kept in 13 numbers (site/formats.h) while its links are U(3) matrices: so are three links in a
 * row of HISQ's W, or of thin links.  When they are not, to the precision of the copies, N is kept in full. */
#ifndef KILN_OPERATORS_STAGGERED_LOW_H
#define KILN_OPERATORS_STAGGERED_LOW_H

#include "src/operators/staggered.h"

typedef struct staggered_low staggered_low;

/* Memory for the links of all sets as vectors of format f need them; p: the precision of native ones.  Nothing is
 * copied yet.  Full: N is never in 13 numbers, to see what these change. */
staggered_low *staggered_low_create(const staggered_links *s, vector_format f, precision p);
staggered_low *staggered_low_create_full(const staggered_links *s, vector_format f, precision p);
void staggered_low_free(staggered_low *low);

/* Of staggered_low_create.  An N in full takes memory of its own beside it, from the first update that needs it on,
 * which tells so in the log. */
size_t staggered_low_bytes(const staggered_links_params *params, const lattice_shape *shape, vector_format f,
                           precision p);

/* Copies what has changed since the last update.  To be called after staggered_links_update. */
void staggered_low_update(staggered_low *low);

/* Whether N is in 13 numbers, since the last update. */
bool staggered_low_is_compressed(const staggered_low *low);

/* A vector of this format. */
vec *staggered_low_vec(const staggered_low *low, parity_set on);

/* out <- D in, from one parity to the other, or all to all. */
void staggered_low_hop(vec *out, const staggered_low *low, int set, const vec *in);

/* K of one set on the sites that `between`, of this format and borrowed like the links, is not on; good after updates
 * too.  staggered_low_room: more of them, for larger batches, as in staggered.h. */
typedef struct {
    linop base;
    const staggered_low *links;
    int set;
    vec *between[BATCH_MAX_RHS];
} staggered_low_op;
staggered_low_op staggered_low_operator(const staggered_low *low, int set, vec *between);
void staggered_low_room(staggered_low_op *op, vec *const *between, int count);

#endif
