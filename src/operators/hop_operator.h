/* hop_operator.h - what the dirac_operators with a Wilson hop have in common: links, and a force.
 *
 * C maps odd sites to odd sites, in double, for any precision of the gauge field.  Several storages of vectors may
 * share one set of links: for domain-wall quarks, all storages with arithmetic in the same precision; for Wilson quarks
 * (one slice), half and int20. */
#ifndef KILN_OPERATORS_HOP_OPERATOR_H
#define KILN_OPERATORS_HOP_OPERATOR_H

#include "src/operators/dirac_operator.h"
#include "src/operators/hop_force.h"
#include "src/operators/wilson_launch.h"

/* The sets of links, all in 12 numbers: double, single, and fixed point of 16 and 32 bits (hop_links_format). */
typedef enum { HOP_LINKS_DOUBLE, HOP_LINKS_SINGLE, HOP_LINKS_FIXED16, HOP_LINKS_FIXED32, HOP_LINK_SETS } hop_link_set;

/* The struct of each such kind begins with this one. */
typedef struct {
    dirac_operator base;
    quark_boundary boundary;
    hop_links *links[HOP_LINK_SETS];               /* in double always; others NULL if no storage needs them */
    hop_force *force;                         /* NULL: created without force */
} hop_operator;

/* Sets up d, whose memory belongs to the caller: the links in double, not yet computed; with_force: the force. */
void hop_operator_begin(hop_operator *d, const dirac_plan *plan, const gauge *u, quark_boundary boundary,
                        bool with_force);

/* Borrowed: the links in double; the links for vectors of an open storage; the force, or NULL. */
const hop_links *hop_operator_links(const dirac_operator *d);
const hop_links *hop_operator_links_for(const dirac_operator *d, vec_storage in);
hop_force *hop_operator_force(dirac_operator *d);

/* Functions of a dirac_kind. */
void       hop_operator_free(dirac_operator *d);
void       hop_operator_open(dirac_operator *d, vec_storage in);
bool       hop_operator_update(dirac_operator *d, const gauge *u, failure *why);
void       hop_operator_force_reserve(dirac_operator *d, int pairs);
void       hop_operator_force_begin(dirac_operator *d);
void       hop_operator_force_finish(dirac_operator *d, const gauge *u, momentum *p, double weight, sum_cells size);
memory_need hop_operator_bytes(const dirac_plan *plan, const lattice_shape *shape, const vec_storage *in, int count);
memory_need hop_operator_force_bytes(const dirac_plan *plan, const lattice_shape *shape, int pairs);
work_count hop_operator_force_work(const dirac_plan *plan, const lattice_shape *shape, double pairs);

#define HOP_OPERATOR                                                                                                   \
    .home = ON_ODD, .image = ON_ODD, .free = hop_operator_free, .open = hop_operator_open,                             \
    .update = hop_operator_update, .max_rhs = HOP_TERMS_TOGETHER, .force_reserve = hop_operator_force_reserve,         \
    .force_begin = hop_operator_force_begin,                                                                           \
    .force_finish = hop_operator_force_finish, .bytes = hop_operator_bytes,                                            \
    .force_bytes = hop_operator_force_bytes, .force_work = hop_operator_force_work

#endif
