/* dwf_forces.h - domain-wall and Wilson quarks for tests: actions of few lines, solved to the last digits, and their
 * forces. */
#ifndef KILN_TESTS_OPERATORS_DWF_FORCES_H
#define KILN_TESTS_OPERATORS_DWF_FORCES_H

#include "src/operators/clover_force.h"
#include "src/solvers/solver.h"

/* Quarks on a lattice, antiperiodic in t: links, scratch vectors, a force. */
enum { QUARKS_CAPACITY = 8 };
typedef struct {
    lattice *l;
    place where;
    int Ls;
    hop_links *links;
    vec *even, *odd[QUARKS_CAPACITY];
    cg_space *space;
    hop_force *force;
} quarks;
quarks quarks_open(lattice *l, place where, int Ls);
void quarks_close(quarks *q);

vec *quarks_vec(const quarks *q, parity_set on, int number);             /* random, another one for each number */
void quarks_rotate(vec *v, const gauge_rotation *g);                     /* v(x) <- g(x) v(x), all spins and slices */

/* An action: its value on the links that are set; where f is not NULL, its terms are added. */
typedef double quark_value(quarks *q, const dwf_matrix *c, const dwf_matrix *v, vec *phi, hop_force *f);
quark_value quarks_two_flavors;              /* phi^+ (C^+C)^-1 phi */
quark_value quarks_ratio;                    /* phi^+ V (C^+C)^-1 V^+ phi */
quark_value quarks_turned_ratio;             /* |C^-1 V phi|^2 */
quark_value quarks_products;                 /* sum_n 2 c_n Re y_n^+ C x_n: as many terms as need more than one turn */
quark_value quarks_hops;                     /* 0.7 Re left^+ hop right on all sites */
/* Wilson quarks, of c and v the masses alone */
quark_value quarks_wilson;                   /* phi^+ (Mhat^+Mhat)^-1 phi */
quark_value quarks_wilson_ratio;             /* |Mhat^-1 W phi|^2, W with the mass of v */
quark_value quarks_wilson_products;          /* as quarks_products, of Mhat */

/* C with mass and corner, V with the heavy mass. */
typedef struct {
    const char *name;
    dwf_weights weights;
    double mass, heavy;
    fifth_corner corner;
    quark_value *value;
} quark_action;
double quarks_value(quarks *q, const quark_action *a, const gauge *u, vec *phi, hop_force *f);

/* A force: begin with all terms of an action, which returns its value; finish with P += weight F of the terms added
 * (size may be NULL).  quarks_force: F as a momentum. */
double quarks_begin_force(quarks *q, const quark_action *a, const gauge *u, vec *phi);
void quarks_finish(quarks *q, const gauge *u, momentum *p, double weight, momentum_size *size);
momentum *quarks_force(quarks *q, const quark_action *a, const gauge *u, vec *phi, momentum_size *size);

double *momentum_matrices(const momentum *p);                            /* momentum_export to memory of its own */

#endif
