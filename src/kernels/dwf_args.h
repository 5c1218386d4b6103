/* dwf_args.h - arguments of the kernels of domain-wall quarks.
 *
 * Spinor fields are slabs of color vectors on one parity (site/view.h), slab 4 slice + spin, slices 0 .. Ls-1 of the
 * fifth dimension. */
#ifndef KILN_KERNELS_DWF_ARGS_H
#define KILN_KERNELS_DWF_ARGS_H

#include "src/kernels/hop_phases.h"
#include "src/kernels/krylov_args.h"

#include <stdbool.h>

enum { SLICES_MAX = 48 };

/* A matrix in the fifth dimension, for each chirality c (0: spins 0 and 1, gamma5 = 1; 1: spins 2 and 3), real:
 *     out_s = d_s in_s + e_s p_s + h_s w,    w = sum_s g_s in_s,
 * where p starts from 0 and p' = a_s in_s + r_s p from slice to slice, upwards if up[c], else downwards.  All
 * matrices of domain-wall quarks and their transposes have this form (src/operators/fifth_dimension.h). */
typedef struct {
    double d[2][SLICES_MAX], e[2][SLICES_MAX], h[2][SLICES_MAX], g[2][SLICES_MAX], a[2][SLICES_MAX], r[2][SLICES_MAX];
    bool up[2];
    bool diagonal;                         /* only d is used */
} fifth_table;

/* S v, the sum over neighbors, slice by slice:
 *     (S v)(x) = sum_mu (1 -+ gamma_mu) U_mu(x) v(x+mu) + (1 +- gamma_mu) U_mu(x-mu)^+ v(x-mu),
 * with the lower signs if `dagger`; a link across the upper end in t is multiplied by `boundary` (1 or -1), and all
 * links by `phases`.  The Wilson hop is -S / 2.  Links are SU(3) matrices in format LINK_12. */

/* dwf_hop_sites: out <- K S in + a y + b z, with y and z on the sites of `out` (not read if a or b is 0; they are not
 * `out`).  Intermediate results have the precision of the arithmetic. */
typedef struct {
    lattice_view l;
    gauge_view u;
    vector_view out, in, y, z;
    double a, b, boundary;
    hop_phases phases;
    bool dagger;
    int Ls;
    fifth_table k;
} dwf_hop_args;

/* dwf_fifth_sites: out <- K in; `out` may be `in`.  It runs over the four slabs of the first slice. */
typedef struct { vector_view out, in; int Ls; fifth_table k; } dwf_fifth_args;

/* dwf_batch_hop: dwf_hop_sites for all systems of a batch, while it is going; b_n is the shift of the system if
 * with_shift, else 0.  If `has_second`, also second_n <- K' out_n, with K' the table `k2`. */
typedef struct {
    krylov_batch b;
    lattice_view l;
    gauge_view u;
    vector_view out[BATCH_MAX_RHS], in[BATCH_MAX_RHS], y[BATCH_MAX_RHS], z[BATCH_MAX_RHS], second[BATCH_MAX_RHS];
    double a, boundary;
    hop_phases phases;
    bool dagger, with_shift, has_second;
    int Ls;
    fifth_table k, k2;
} dwf_batch_hop_args;

/* dwf_force_sites: on the sites of one parity, for each direction and over `count` pairs,
 *     h_mu(x) += sum_k a_k sum_s ((1 - gamma_mu) left_k(x)) right_k(x+mu)^+        (spins summed; left on this parity)
 *     h_mu(x) += sum_k a_k sum_s right_k(x) ((1 + gamma_mu) left_k(x+mu))^+        (left on the other parity)
 * as `left_is_here` selects.  The terms have the factor `boundary` for links across the upper end in t, and the
 * conjugate of phase_mu if the quarks have phases (hop_phases.h).  h is dS as a link: dS = 2 Re Tr sum dU h^+. */
enum { DWF_PAIRS_MAX = 40 };
typedef struct {
    lattice_view l;
    gauge_view h;
    int count, Ls;
    bool left_is_here;
    double boundary;
    hop_phases phases;
    vector_view left[DWF_PAIRS_MAX], right[DWF_PAIRS_MAX];
    double a[DWF_PAIRS_MAX];
} dwf_force_args;

#endif
