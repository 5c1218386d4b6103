/* clover_force.h - the force of Wilson quarks, without and with a clover term.
 *
 * All terms of a force are summed as in hop_force.h: dS = 2 Re Tr sum dU h^+, P <- P + weight [2 U h^+]_TA.  Terms with
 * dA are first summed at each site, one 3x3 matrix for each of the six planes, the "insertions" of
 * kernels/clover_force_args.h.  clover_force_finish then takes the derivative of A in the links once.
 *
 * Example: two flavors, S = phi^+ (Mhat^+ Mhat)^-1 phi - 2 log |det T_e|.  With X = (Mhat^+ Mhat)^-1 phi and
 * Y = Mhat X, dS = -2 Re Y^+ dMhat X - 2 d log |det T_e|; the symmetric form also has -2 d log |det T_o|. */
#ifndef KILN_OPERATORS_CLOVER_FORCE_H
#define KILN_OPERATORS_CLOVER_FORCE_H

#include "src/operators/clover.h"
#include "src/operators/hop_force.h"

typedef struct clover_force clover_force;

/* For links like u in any precision, vectors and clover terms in double at the place of u, and matrices in this form
 * only.  clover_force_reserve allocates the scratch vectors for `terms` terms in one call; without it they are
 * allocated when they are first needed.  Each of the terms of one launch (HOP_TERMS_TOGETHER) needs two vectors of one
 * parity, in the symmetric form four. */
clover_force *clover_force_create(const gauge *u, clover_form form);
/* For vectors with that many slices.  Its terms are added with clover_force_add_pairs, for which the caller computes
 * the vectors on all sites. */
clover_force *clover_force_create_slices(const gauge *u, int slices);
void clover_force_free(clover_force *f);
void clover_force_reserve(clover_force *f, int terms);
/* With `terms` terms in one call, and `links` the precision of the links; the scratch vectors are `shared`. */
memory_need clover_force_bytes(const lattice_shape *shape, precision links, clover_form form, int terms);

/* The work of the clover term, without that of the hops: of `pairs` terms in all, and of clover_force_finish. */
work_count clover_force_work(const lattice_shape *shape, double pairs);

/* A force: begin, add terms, finish with P <- P + weight F.  `size` as in actions/monomial.h.  All terms are computed
 * in double; u may be in single precision, and then the derivative of c_sw A is as accurate as these links.
 * If the clover term has other links than the hops: finish_hops with the links of the hops, then finish_term with those
 * of the clover term. */
void clover_force_begin(clover_force *f);
void clover_force_finish(clover_force *f, const gauge *u, momentum *p, double weight, sum_cells size);
void clover_force_finish_hops(clover_force *f, const gauge *u, momentum *p, double weight, sum_cells size);
void clover_force_finish_term(clover_force *f, const gauge *u, momentum *p, double weight, sum_cells size);

/* dS = sum_n 2 c_n Re y_n^+ dMhat x_n with a term; vectors on odd sites */
void clover_force_add(clover_force *f, clover_links l, hop_force_terms t);

/* dS = sum_n c_n Re left_n^+ d(hop + T) right_n on all sites, for no more than HOP_TERMS_TOGETHER pairs */
void clover_force_add_pairs(clover_force *f, const hop_links *l, const clover_term *t, const hop_pair *pairs,
                            int count);

/* The terms of clover_force_add of plain Wilson quarks, to a force of the hop with one slice:
 * dMhat = -d(K hop_oe K hop_eo) with K = (4 + m)^-1/2, that of C in hop_force.h. */
void clover_plain_force_add(hop_force *f, clover_links l, hop_force_terms t);

/* dS = c d log |det (T + i mu gamma5)| on the sites of the term's inverse */
void clover_force_add_log_det(clover_force *f, const clover_term *t, double c);

#endif
