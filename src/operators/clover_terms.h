/* clover_terms.h - all clover terms of an operator: of each mass and mu with the inverse on even sites, and in the
 * symmetric form of each mass and mu + rho with the inverse on odd ones.  All share c_sw A. */
#ifndef KILN_OPERATORS_CLOVER_TERMS_H
#define KILN_OPERATORS_CLOVER_TERMS_H

#include "src/operators/clover.h"

enum { CLOVER_MASSES_MAX = 64 };

/* Parameters of a plan of the operator (clover_operator.h): the symmetric form needs each twist, the asymmetric one
 * each mu. */
typedef struct {
    quark_boundary boundary;
    double c_sw, mass[CLOVER_MASSES_MAX], mu[CLOVER_MASSES_MAX];
    int masses;
    double odd_mass[CLOVER_MASSES_MAX], odd_mu[CLOVER_MASSES_MAX];     /* mu + rho of the symmetric form */
    int odd_masses;
    clover_kind kind;
    clover_form form;
    bool plain;                            /* plain Wilson quarks: c_sw is 0, and masses and form are not read */
} clover_operator_params;

/* By the indices of the parameters; others are NULL. */
typedef struct { clover_term *even[CLOVER_MASSES_MAX], *odd[CLOVER_MASSES_MAX]; } clover_terms;

void clover_terms_create(clover_terms *t, const clover_operator_params *params, lattice *l, place where, precision p);
void clover_terms_free(clover_terms *t);              /* also where there are none */
size_t clover_terms_bytes(const clover_operator_params *params, const lattice_shape *shape, precision p);

/* As clover_term_update and clover_term_convert, for all; convert does nothing where `t` has none. */
bool clover_terms_update(clover_terms *t, const clover_operator_params *params, const gauge *u, failure *why);
void clover_terms_convert(clover_terms *t, const clover_terms *from);

#endif
