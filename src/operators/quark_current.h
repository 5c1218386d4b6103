/* quark_current.h - the derivative of the staggered operator by a chemical potential.
 *
 * A chemical potential mu (in lattice units, a mu) multiplies links by exp(mu) in the direction of t and by exp(-mu)
 * against it, links over three sites by exp(3 mu) and exp(-3 mu) (P. Hasenfratz and F. Karsch, Phys. Lett. B 125 (1983)
 * 308).  The derivative of M = 2m + D is the conserved current in t, summed over all sites:
 *
 *     (dM/dmu v)(x) = X_t(x) v(x+t) + X_t(x-t)^+ v(x-t) + 3 [ N_t(x) v(x+3t) + N_t(x-3t)^+ v(x-3t) ]
 *
 * i dM/dmu is D (staggered.h) with the links i X_t and 3 i N_t, and none in space. */
#ifndef KILN_OPERATORS_QUARK_CURRENT_H
#define KILN_OPERATORS_QUARK_CURRENT_H

#include "src/operators/staggered.h"

typedef struct quark_current quark_current;

/* Memory for the links of the current of such quarks, on the lattice of `u`. */
quark_current *quark_current_create(staggered_kind kind, const gauge *u);
void quark_current_free(quark_current *c);
memory_need quark_current_bytes(staggered_kind kind, const lattice_shape *shape, precision prec);

/* The links of i dM/dmu of quarks with these links; valid until the next update. */
staggered_terms quark_current_update(quark_current *c, staggered_terms links);

#endif
