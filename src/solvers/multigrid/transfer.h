/* transfer.h - P and P^+: between vectors of Dirac spinors and coarse vectors of multigrid.
 *
 *     (P c)_s(x) = sum_v V_v,s(x) c_(chirality(s), v)(X),   s a spin, X the block of x
 *
 * The near-null vectors V_v are orthonormal in each block and chirality.  So P^+ P = 1, and P gamma5 = gamma5 P, where
 * the gamma5 of coarse vectors is +1 on the components of chirality 0 and -1 on those of chirality 1.
 * A coarse vector is a spinor_field of the coarse lattice: 2 `vectors` complex components a site, three in a slab
 * (kernels/mg_args.h). */
#ifndef KILN_SOLVERS_MULTIGRID_TRANSFER_H
#define KILN_SOLVERS_MULTIGRID_TRANSFER_H

#include "src/operators/spinor_field.h"
#include "src/solvers/multigrid/aggregates.h"
#include "src/solvers/multigrid/multigrid_settings.h"

typedef struct {
    const aggregates *a;                   /* borrowed */
    precision p;
    int vectors;
    field basis[2];                        /* on fine sites of each parity, in blocked order (kernels/mg_args.h) */
    field one;                             /* scratch: a vector of one parity in this order */
    field terms;                           /* scratch: the terms of a sum at coarse sites */
} transfer;

/* For vectors in precision p at the place of the aggregates.  The basis is zero. */
transfer *transfer_create(const aggregates *a, int vectors, precision p);
void transfer_free(transfer *t);
size_t transfer_bytes(const lattice_shape *fine, const int block[4], int vectors, precision p);

/* V_v <- in (both parities); and orthonormalization of the whole basis, in the order of v. */
void transfer_set_vector(transfer *t, int v, spinor_field in);
void transfer_orthonormalize(transfer *t);

/* A range of sites for kernels with several threads a site: each site of r occurs `parts` times.  A kernel OVER_SLABS
 * finds the number of its part in x.before. */
site_range transfer_parts(site_range r, int parts);

/* out <- the spins of V_v of one chirality; the others are zero */
void transfer_column(spinor_field out, const transfer *t, int v, int chirality);

/* Spinors on fine sites of one parity in blocked order, `vectors` of them on coarse sites of all parities. */
field transfer_blocked(const aggregates *a, int vectors, precision p);
size_t transfer_blocked_bytes(const lattice_shape *coarse, const int block[4], int vectors, precision p);
blocked_view transfer_blocked_view(const transfer *t, const field *f, int vectors);
/* out <- the slices of `in`, a vector of spinors on one parity, in blocked order.  direction >= 0: only the rows of
 * sites from which this direction leaves the block. */
void transfer_block(const field *out, const transfer *t, const vec *in, int vectors, int direction);

/* out <- sum of the first `count` of the terms, + y; y may be out or NULL */
void transfer_add_terms(vec *out, const transfer *t, int count, const vec *y);

/* A coarse vector on one parity, zero; on all sites (spinor_field_free). */
vec *transfer_coarse_vec(const transfer *t, parity_set on);
spinor_field transfer_coarse_field(const transfer *t);

/* out <- P^+ in, or out + P^+ in, where `in` is on the sites of one parity and zero on the others. */
void transfer_restrict(spinor_field out, const transfer *t, const vec *in, bool add);
/* out <- P in on the parity of out, or out + P in */
void transfer_prolong(vec *out, const transfer *t, spinor_field in, bool add);

#endif
