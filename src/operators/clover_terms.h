/* clover_terms.h - all clover terms of an operator: of each mass and mu with the inverse on even sites, and in the
 * symmetric form of each mass and mu + rho with the inverse on odd ones.  All share c_sw A. */
#ifndef KILN_OPERATORS_CLOVER_TERMS_H
#define KILN_OPERATORS_CLOVER_TERMS_H

#include "src/operators/clover_params.h"

/* The terms by their indices in the lists of clover_params.h; the rest is NULL. */
typedef struct { clover_term *even[DIRAC_MATRICES_MAX], *odd[DIRAC_MATRICES_MAX]; } clover_terms;

/* For vectors in double and int30; in single and int20; in half, with blocks in 16 bits (site/block_storage.h). */
typedef enum { CLOVER_DOUBLE, CLOVER_SINGLE, CLOVER_FIXED16, CLOVER_SETS } clover_set;
clover_set clover_set_for(vec_storage in);

/* The terms for all storages: always in double; in the other sets if such a storage is open, else NULL. */
typedef struct { clover_terms of[CLOVER_SETS]; } clover_term_sets;

/* Creates the terms for vectors of a storage where there are none; double first.  Free all with clover_terms_free. */
void clover_terms_open(clover_term_sets *s, const clover_operator_params *params, lattice *l, place where,
                       vec_storage in);
void clover_terms_free(clover_term_sets *s);
/* Bytes of the terms in double and for these storages. */
size_t clover_terms_bytes(const clover_operator_params *params, const lattice_shape *shape, const vec_storage *in,
                          int count);

/* clover_term_update for all terms in double, then clover_term_convert for all others.  False if a term has no inverse,
 * with the reason, which begins with the mass of the input. */
bool clover_terms_update(clover_term_sets *s, const clover_operator_params *params, const gauge *u, failure *why);

#endif
