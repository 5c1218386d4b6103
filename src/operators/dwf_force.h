/* dwf_force.h - the force of domain-wall quarks: derivatives of operators that are made of hops.
 *
 * All terms of a force are summed in one h, dS = 2 Re Tr sum dU h^+, and give P <- P + weight [2 U h^+]_TA.
 * Two flavours, S = |(C^+)^-1 V^+ phi|^2:  X = (C^+C)^-1 V^+ phi, Y = C X;  terms of
 * dS = 2 Re phi^+ dV X - 2 Re Y^+ dC X. */
#ifndef KILN_OPERATORS_DWF_FORCE_H
#define KILN_OPERATORS_DWF_FORCE_H

#include "src/lattice/kernels.h"
#include "src/operators/dwf.h"

typedef struct dwf_force dwf_force;

/* For links like u in any precision, and vectors with Ls slices in double at the place of u.  Scratch vectors are
 * allocated by dwf_force_reserve, for `terms` terms in one call, or when they are first needed: three vectors of one
 * parity for each of the terms of one launch. */
enum { DWF_TERMS_TOGETHER = 4 };
dwf_force *dwf_force_create(const gauge *u, int Ls);
void dwf_force_free(dwf_force *f);
void dwf_force_reserve(dwf_force *f, int terms);
/* With `terms` terms in one call, and `links` the precision of the links; the scratch vectors are `shared`. */
memory_need dwf_force_bytes(const lattice_shape *shape, precision links, int Ls, int terms);

/* A force: begin, add terms, finish with P <- P + weight F.  `size` as in actions/monomial.h. */
void dwf_force_begin(dwf_force *f);
void dwf_force_finish(dwf_force *f, const gauge *u, momentum *p, double weight, sum_cells size);

/* The terms of dS = sum_n 2 c_n Re y_n^+ dC x_n: arrays of `count`, vectors on odd sites; borrowed. */
typedef struct {
    int count;
    const double *c;
    vec *const *y, *const *x;
} dwf_force_terms;
void dwf_force_add(dwf_force *f, const dwf_links *l, const dwf_matrix *m, dwf_force_terms t);

/* dS = c Re left^+ dhop right on all sites */
void dwf_force_add_hop(dwf_force *f, const dwf_links *l, double c, dwf_field left, dwf_field right);

/* The same for `count` pairs, at most DWF_TERMS_TOGETHER. */
typedef struct { double c; dwf_field left, right; } dwf_hop_pair;
void dwf_force_add_hops(dwf_force *f, const dwf_links *l, const dwf_hop_pair *pairs, int count);

/* h, in double, between begin and finish: for terms that are not of hops. */
gauge *dwf_force_sum(dwf_force *f);

#endif
