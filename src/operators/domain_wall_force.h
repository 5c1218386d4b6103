/* domain_wall_force.h - the force of domain-wall quarks: derivatives of what is made of hops.
 *
 * All terms of all actions are gathered in one h, dS = 2 Re Tr sum dU h^+, and end in P <- P + weight [2 U h^+]_TA.
 * Two flavours, S = |(C^+)^-1 V^+ phi|^2:  X = (C^+C)^-1 V^+ phi, Y = C X;  terms of
 * dS = 2 Re phi^+ dV X - 2 Re Y^+ dC X. */
#ifndef KILN_OPERATORS_DOMAIN_WALL_FORCE_H
#define KILN_OPERATORS_DOMAIN_WALL_FORCE_H

#include "src/lattice/kernels.h"
#include "src/operators/domain_wall.h"

typedef struct wall_force wall_force;

/* For links like u in any precision, and vectors of as many slices in double at their place.  Room for vectors is made
 * when terms come that need it, and kept: three vectors of one parity for each of the terms that go together. */
enum { WALL_TERMS_TOGETHER = 4 };
wall_force *wall_force_create(const gauge *u, int slices);
void wall_force_free(wall_force *f);
/* With so many terms in one call, on links in this precision. */
size_t wall_force_bytes(const lattice_shape *shape, precision links, int slices, int terms);

/* A force: begin, add terms, finish with P <- P + weight F.  `size` as in actions/monomial.h. */
void wall_force_begin(wall_force *f);
void wall_force_finish(wall_force *f, const gauge *u, momentum *p, double weight, sum_cells size);

/* dS = sum_n 2 c_n Re y_n^+ dC x_n for n < count, vectors on odd sites */
void wall_force_add(wall_force *f, const wall_links *l, const wall_matrix *m, const double *c, vec *const *y,
                    vec *const *x, int count);

/* dS = c Re left^+ dhop right on all sites */
void wall_force_add_hop(wall_force *f, const wall_links *l, double c, wall_field left, wall_field right);

#endif
