/* wilson.h - Wilson quarks: the operator on all sites, and on those of one parity.
 *
 *     M = 4 + m + hop,   hop = -S/2 (kernels/wall_args.h),   gamma5 M gamma5 = M^+,   kappa = 1 / (2 (4 + m))
 *     Mhat = 4 + m - hop_oe hop_eo / (4 + m) on odd sites,   det M = (4 + m)^(12 V/2) det Mhat
 *
 * K. G. Wilson, in: New Phenomena in Subnuclear Physics (1977); T. A. DeGrand, Comput. Phys. Commun. 52 (1988) 161.
 * m is the bare mass.  A = Mhat^+ Mhat is what solvers see.  Links, hops and vectors are those of domain-wall quarks
 * with one slice. */
#ifndef KILN_OPERATORS_WILSON_H
#define KILN_OPERATORS_WILSON_H

#include "src/operators/domain_wall.h"
#include "src/operators/domain_wall_force.h"

vec *wilson_vec_create(lattice *l, parity_set on, place where, precision p);
vec *wilson_vec_create_format(lattice *l, parity_set on, place where, vector_format f);

/* out <- M in, or M^+ in, on all sites */
void wilson_apply(wall_field out, const wall_links *l, double mass, bool dagger, wall_field in);

/* out <- Mhat in, or Mhat^+ in, on odd sites; `even` is scratch on even sites. */
void wilson_mhat(vec *out, const wall_links *l, double mass, bool dagger, const vec *in, vec *even);

/* A = Mhat^+ Mhat for solvers.  Scratch vectors are borrowed: for each system one on even and one on odd sites. */
typedef struct {
    linop base;
    const wall_links *links;
    double mass;
    vec *even[BATCH_TOGETHER], *odd[BATCH_TOGETHER];
} wilson_op;
/* `together` systems at a time: even[together] and odd[together] are read from the arrays. */
wilson_op wilson_operator(const wall_links *l, double mass, vec *const *even, vec *const *odd, int together);

/* Bytes and flops of one A v: 2 (2 x 1320 + 48) flops a site; spinors once for each read and write of a hop. */
work_count wilson_normal_work(const lattice_shape *shape, vector_format f, precision p);

/* For M x = v on all sites, or M^+ x = v: the right-hand side of Mhat x_o = rhs, or of Mhat^+ x_o = rhs; and x from
 * that.  x.odd may be `solution`. */
void wilson_prepare(vec *rhs, const wall_links *l, double mass, bool dagger, wall_field v);
void wilson_reconstruct(wall_field x, const wall_links *l, double mass, bool dagger, wall_field v,
                        const vec *solution);

/* Adds to a force with one slice dS = sum_n 2 c_n Re y_n^+ dMhat x_n for n < count, vectors on odd sites. */
void wilson_force_add(wall_force *f, const wall_links *l, double mass, const double *c, vec *const *y, vec *const *x,
                      int count);

#endif
