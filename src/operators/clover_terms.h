/* clover_terms.h - all clover terms of an operator: of each mass and mu with the inverse on even sites, and in the
 * symmetric form of each mass and mu + rho with the inverse on odd ones.  All share c_sw A. */
#ifndef KILN_OPERATORS_CLOVER_TERMS_H
#define KILN_OPERATORS_CLOVER_TERMS_H

#include "src/operators/clover_params.h"

/* By the indices of the lists of terms; others are NULL. */
typedef struct { clover_term *even[DIRAC_MATRICES_MAX], *odd[DIRAC_MATRICES_MAX]; } clover_terms;

void clover_terms_create(clover_terms *t, const clover_operator_params *params, lattice *l, place where, precision p);
void clover_terms_free(clover_terms *t);              /* also where there are none */
size_t clover_terms_bytes(const clover_operator_params *params, const lattice_shape *shape, precision p);

/* As clover_term_update and clover_term_convert, for all; convert does nothing where `t` has none. */
bool clover_terms_update(clover_terms *t, const clover_operator_params *params, const gauge *u, failure *why);
void clover_terms_convert(clover_terms *t, const clover_terms *from);

#endif
