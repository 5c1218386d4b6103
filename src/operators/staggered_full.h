/* staggered_full.h - the staggered operator on all sites, for solvers of systems that are not hermitian.
 *
 *     A + shift = 2m + D,   shift = 2m;   the adjoint: 2m - D
 *
 * with links and vectors in any format.  Solvers of systems on one parity need K = -D_eo D_oe instead (staggered.h). */
#ifndef KILN_OPERATORS_STAGGERED_FULL_H
#define KILN_OPERATORS_STAGGERED_FULL_H

#include "src/operators/staggered_low.h"

typedef struct {
    linop base;
    const staggered_links *links;        /* every application reads their present values */
    const staggered_low *low;            /* read in place of `links`, unless NULL */
    int set;
    bool dagger;
} staggered_full_op;

/* The operator on native vectors in the precision of the links; on vectors in the format of `low`.  s and low are
 * borrowed.  Batches have up to BATCH_MAX_RHS systems. */
staggered_full_op staggered_full_operator(const staggered_links *s, int set, bool dagger);
staggered_full_op staggered_full_operator_low(const staggered_low *low, int set, bool dagger);

#endif
