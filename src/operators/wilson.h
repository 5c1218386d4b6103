/* wilson.h - Wilson quarks: the operator on all sites, and on those of one parity.
 *
 *     M = 4 + m + hop,   hop = -S/2 (kernels/dwf_args.h),   gamma5 M gamma5 = M^+,   kappa = 1 / (2 (4 + m))
 *     Mhat = 4 + m - hop_oe hop_eo / (4 + m) on odd sites,   det M = (4 + m)^(12 V/2) det Mhat
 *
 * K. G. Wilson, in: New Phenomena in Subnuclear Physics (1977); T. A. DeGrand, Comput. Phys. Commun. 52 (1988) 161.
 * m is the bare mass.  Solvers get A = Mhat^+ Mhat.  Links, hops and vectors are those of domain-wall quarks
 * with one slice. */
#ifndef KILN_OPERATORS_WILSON_H
#define KILN_OPERATORS_WILSON_H

#include "src/operators/dwf.h"
#include "src/operators/hop_force.h"

/* out <- M in, or M^+ in, on all sites */
void wilson_apply(spinor_field out, const hop_links *l, double mass, bool dagger, spinor_field in);

/* out <- Mhat in, or Mhat^+ in, on odd sites; `even` is scratch on even sites. */
void wilson_mhat(vec *out, const hop_links *l, double mass, bool dagger, const vec *in, vec *even);

/* A = Mhat^+ Mhat for solvers.  Scratch vectors are borrowed: for each system one on even and one on odd sites. */
typedef struct {
    linop base;
    const hop_links *links;
    double mass;
    bool dagger;                           /* of wilson_mhat_operator */
    vec *even[BATCH_MAX_RHS], *odd[BATCH_MAX_RHS];
} wilson_op;
/* For `max_rhs` systems at a time: even[max_rhs] and odd[max_rhs] are read from the arrays. */
wilson_op wilson_operator(const hop_links *l, double mass, vec *const *even, vec *const *odd, int max_rhs);

/* A = Mhat, or Mhat^+, for solvers of systems that are not hermitian; `odd` is not used. */
wilson_op wilson_mhat_operator(const hop_links *l, double mass, bool dagger, vec *const *even, int max_rhs);

/* Bytes and flops of one A v: 2 (2 x 1320 + 48) flops a site.  Bytes: each hop counts each spinor that it reads or
 * writes once. */
work_count wilson_normal_work(const lattice_shape *shape, vector_format f, precision p);

/* To solve M x = v on all sites, or M^+ x = v.  wilson_prepare: the right-hand side of Mhat x_o = rhs, or of
 * Mhat^+ x_o = rhs.  wilson_reconstruct: x from the solution x_o; x.odd may be `solution`. */
void wilson_prepare(vec *rhs, const hop_links *l, double mass, bool dagger, spinor_field v);
void wilson_reconstruct(spinor_field x, const hop_links *l, double mass, bool dagger, spinor_field v,
                        const vec *solution);

/* Adds dS = sum_n 2 c_n Re y_n^+ dMhat x_n to a force with one slice. */
void wilson_force_add(hop_force *f, const hop_links *l, double mass, hop_force_terms t);

#endif
