/* hop_force.h - the force of quarks whose C is made of Wilson hops: domain-wall quarks, and the hops of all others.
 *
 * All terms of a force are summed in one field h, dS = 2 Re Tr sum dU h^+, and give P <- P + weight [2 U h^+]_TA, TA
 * the traceless antihermitian part.
 * Example: two flavors, S = |(C^+)^-1 V^+ phi|^2.  With X = (C^+C)^-1 V^+ phi and Y = C X,
 * dS = 2 Re phi^+ dV X - 2 Re Y^+ dC X. */
#ifndef KILN_OPERATORS_HOP_FORCE_H
#define KILN_OPERATORS_HOP_FORCE_H

#include "src/lattice/kernels.h"
#include "src/operators/dwf.h"

typedef struct hop_force hop_force;

/* For links like u in any precision, and vectors with Ls slices in double at the place of u.  hop_force_reserve
 * allocates the scratch vectors for `terms` terms in one call; without it they are allocated when they are first
 * needed.  Each of the terms of one launch (HOP_TERMS_TOGETHER) needs three vectors of one parity. */
enum { HOP_TERMS_TOGETHER = 4 };
static inline int hop_terms_together(int terms)              /* of the first launch for this number of terms */
{
    return terms < HOP_TERMS_TOGETHER ? terms : HOP_TERMS_TOGETHER;
}
hop_force *hop_force_create(const gauge *u, int Ls);
void hop_force_free(hop_force *f);
void hop_force_reserve(hop_force *f, int terms);
/* With `terms` terms in one call, and `links` the precision of the links; the scratch vectors are `shared`. */
memory_need hop_force_bytes(const lattice_shape *shape, precision links, int Ls, int terms);

/* A force: begin, add terms, finish with P <- P + weight F.  `size` as in actions/monomial.h. */
void hop_force_begin(hop_force *f);
void hop_force_finish(hop_force *f, const gauge *u, momentum *p, double weight, sum_cells size);

/* The terms of dS = sum_n 2 c_n Re y_n^+ dC x_n: arrays of `count`, vectors on odd sites; borrowed. */
typedef struct {
    int count;
    const double *c;
    vec *const *y, *const *x;
} hop_force_terms;
void hop_force_add(hop_force *f, const hop_links *l, const dwf_matrix *m, hop_force_terms t);

/* dS = c Re left^+ dhop right on all sites */
void hop_force_add_hop(hop_force *f, const hop_links *l, double c, spinor_field left, spinor_field right);

/* The same for `count` pairs, at most HOP_TERMS_TOGETHER. */
typedef struct { double c; spinor_field left, right; } hop_pair;
void hop_force_add_hops(hop_force *f, const hop_links *l, const hop_pair *pairs, int count);

/* The field h, in double, borrowed: between begin and finish the caller may add terms that are not of hops. */
gauge *hop_force_sum(hop_force *f);

#endif
