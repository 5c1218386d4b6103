/* dwf.h - the domain-wall operator on the sites of one parity.
 *
 * With D5 = hop Y + X as in fifth_dimension.h, and parities in four dimensions,
 *     C = 1 - K hop_oe K hop_eo on odd sites,   K = s^-1 Y X^-1 s,
 * where s = b^1/2 (T.-W. Chiu et al., arXiv:1101.0423), or s = 1 if some b_s is not positive or X has an extra column
 * term (fifth_corner in fifth_dimension.h).  Then log det D5 = log det X_e + log det X_o + log det C.  Solvers get
 * A = C^+C.  A vector has 4 Ls slabs: one slab, a color vector on every site of the parity, for each spin and slice.
 *
 * To solve D5 x = v on all sites, substitute x = Y^-1 z and z = s x', which gives (X Y^-1 + hop) z = v.
 *     dwf_prepare computes the right-hand side of   C x'_o = s^-1 Y X^-1 (v_o - hop_oe Y X^-1 v_e);
 *     dwf_reconstruct computes   z_o = s x'_o,   x_e = X^-1 (v_e - hop_eo z_o),   x_o = X^-1 (v_o - hop_oe Y x_e). */
#ifndef KILN_OPERATORS_DWF_H
#define KILN_OPERATORS_DWF_H

#include "src/operators/fifth_dimension.h"
#include "src/operators/hop_links.h"
#include "src/operators/linop.h"
#include "src/operators/spinor_field.h"

/* One mass (and corner) of an action, with the tables that its operator needs. */
typedef struct {
    dwf_weights weights;
    double mass;
    fifth_corner corner;
    double s[SLICES_MAX];
    fifth_table k, minus_k, k_transposed;  /* k = -K/2: K hop = k S, as hop = -S/2 (dwf_args.h) */
} dwf_matrix;
dwf_matrix dwf_matrix_of(const dwf_weights *w, double mass, fifth_corner corner);

/* The sum k S in + a y + b z, where S = -2 hop (src/kernels/dwf_args.h), or the adjoint of S if `dagger`.  All pointers
 * are borrowed. */
typedef struct {
    const fifth_table *k;
    bool dagger;
    const vec *in;                         /* on the other parity than the result; y and z are on that of the result */
    double a, b;
    const vec *y, *z;                      /* NULL: there is no such term */
} dwf_hop_terms;

/* dwf_hop: out <- hop in, or its adjoint, from one parity to the other.  dwf_hop_with: out <- the sum of the terms t.
 * dwf_fifth: out <- k in, without a hop. */
void dwf_hop(vec *out, const hop_links *l, bool dagger, const vec *in);
void dwf_hop_with(vec *out, const hop_links *l, const dwf_hop_terms *t);
void dwf_fifth(vec *out, const fifth_table *k, const vec *in);

/* The same for the systems of a batch: out_n <- k S in_n + a y_n + shift_n shifted_n, with shift_n from the state of
 * the batch; then second_n <- k2 out_n, where `k2` is a second matrix of the fifth dimension.  y may be NULL;
 * shifted may be NULL; second and k2 may be NULL, but only both. */
typedef struct {
    vec *const *out, *const *in, *const *y, *const *shifted, *const *second;
    const fifth_table *k, *k2;
    double a;
    bool dagger;
} dwf_batch_hops;
void dwf_add_batch_hop(loop *l, const krylov_batch *b, const hop_links *links, const dwf_batch_hops *h);
void dwf_add_fifth(loop *l, vec *out, const fifth_table *k, const vec *in);         /* out <- k in, of one system */

/* out <- C in or C^+ in, on odd sites.  Scratch vectors: `even` on even sites, `odd` on odd sites (not out or in). */
void dwf_c(vec *out, const hop_links *l, const dwf_matrix *m, const vec *in, vec *even);
void dwf_c_dagger(vec *out, const hop_links *l, const dwf_matrix *m, const vec *in, vec *even, vec *odd);

/* A = C^+C for solvers.  Scratch vectors are borrowed: for each system one on even sites and two on odd sites. */
typedef struct {
    linop base;
    const hop_links *links;
    dwf_matrix matrix;
    bool dagger;                           /* of dwf_c_operator */
    vec *even[BATCH_MAX_RHS], *odd[BATCH_MAX_RHS][2];
} dwf_op;
/* Makes the operator for up to max_rhs systems at a time (rounded down to a power of two).  `even` has max_rhs scratch
 * vectors, `odd` has max_rhs pairs of them. */
dwf_op dwf_normal_operator(const hop_links *l, const dwf_matrix *m, vec *const *even, vec *const (*odd)[2],
                           int max_rhs);

/* A = C, or C^+, for solvers of systems that are not hermitian; scratch vectors as above. */
dwf_op dwf_c_operator(const hop_links *l, const dwf_matrix *m, bool dagger, vec *const *even,
                      vec *const (*odd)[2], int max_rhs);

/* Bytes and flops of one A v: 2 (2 x 1320 + 48 (2 Ls - 1) + 24) flops a site and slice, K as a dense matrix.  Bytes:
 * in each hop, every spinor that is read or written is counted once. */
work_count dwf_normal_work(const lattice_shape *shape, int Ls, vector_format f, precision p);

/* out <- (D5 + corner) in, or its adjoint; the scratch vector `work` is overwritten. */
void dwf_apply(spinor_field out, const hop_links *l, const dwf_matrix *m, bool dagger, spinor_field in,
               spinor_field work);

/* The right-hand side of C x' = rhs for (D5 + corner) x = v; and x from x'.  `even` is scratch. */
void dwf_prepare(vec *rhs, const hop_links *l, const dwf_matrix *m, spinor_field v, vec *even);
void dwf_reconstruct(spinor_field x, const hop_links *l, const dwf_matrix *m, spinor_field v, const vec *solution,
                      vec *even);

#endif
