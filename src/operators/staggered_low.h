/* staggered_low.h - the operator of staggered quarks in another precision or format: for the inside of mixed solvers.
 *
 * Copies of fat and Naik links, in a native precision or packed (staggered_packed.h), which follow those they are
 * borrowed from. */
#ifndef KILN_OPERATORS_STAGGERED_LOW_H
#define KILN_OPERATORS_STAGGERED_LOW_H

#include "src/operators/staggered.h"
#include "src/operators/staggered_packed.h"

typedef struct staggered_low staggered_low;

/* Memory for the links of all sets as vectors of format f need them; p: the precision of native ones. */
staggered_low *staggered_low_create(const staggered_links *s, vector_format f, precision p);
void staggered_low_free(staggered_low *low);
size_t staggered_low_bytes(const staggered_links_params *params, const int extents[4], vector_format f, precision p);

/* Convert what has changed since the last update.  To be called after staggered_links_update. */
void staggered_low_update(staggered_low *low);

/* A vector of this format. */
vec *staggered_low_vec(const staggered_low *low, parity_set on);

/* K of one set on the sites that `between`, of this format, is not on; good after updates too.  staggered_low_room:
 * more of them, for larger batches, as in staggered.h. */
typedef union { linop base; staggered_normal_op native; staggered_packed_normal_op packed; } staggered_low_op;
staggered_low_op staggered_low_operator(const staggered_low *low, int set, vec *between);
void staggered_low_room(staggered_low_op *op, vec *const *between, int count);

#endif
