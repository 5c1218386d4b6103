/* spinor_pair.h - a spinor on all sites as one vector, for solvers of operators that have no even-odd form.
 *
 * A pair is a native vector of two slices on odd sites: slabs 0 to 3 hold the spins of the odd sites, slabs 4 to 7
 * those of the even sites.  Sums and linear combinations of vec.h act on all sites at once.  A half holds one
 * chirality of a pair in four slabs: chirality 0 is P+ (spins 0, 1), chirality 1 is P- (spins 2, 3).
 *
 * Ghosts of even and odd sites overlap: the ghosts of slab 4 (even sites) use the memory of the ghosts of slab 3 (odd
 * sites).  This is safe because a hop reads ghosts of one parity only, and they are exchanged just before it. */
#ifndef KILN_OPERATORS_SPINOR_PAIR_H
#define KILN_OPERATORS_SPINOR_PAIR_H

#include "src/operators/spinor_field.h"

enum { PAIR_SLABS = 8, HALF_SLABS = 4 };

/* In double precision, where u is; vec_free frees them. */
vec *spinor_pair_create(const gauge *u);
vec *spinor_half_create(const gauge *u);
size_t spinor_pair_bytes(const lattice_shape *shape);
size_t spinor_half_bytes(const lattice_shape *shape);

/* part <- the spinors of one parity, in the memory of the pair.  `part` owns nothing; it is a vector for hops and for
 * operations on the sites of its parity. */
void spinor_pair_part(vec *part, const vec *pair, parity_set on);

/* Copies between a pair and the two vectors of a spinor field. */
void spinor_pair_set(vec *pair, spinor_field v);
void spinor_pair_get(spinor_field v, const vec *pair);

/* half <- one chirality of the pair; pair <- the half, with the other chirality zero, or unchanged (_put). */
void spinor_half_get(vec *half, const vec *pair, int chirality);
void spinor_half_embed(vec *pair, const vec *half, int chirality);
void spinor_half_put(vec *pair, const vec *half, int chirality);

/* out <- gamma5 in */
void spinor_pair_gamma5(vec *out, const vec *in);

#endif
