/* staggered_args.h - arguments of the kernels of staggered quarks: hops, smearing, and its chain rule. */
#ifndef KILN_KERNELS_STAGGERED_ARGS_H
#define KILN_KERNELS_STAGGERED_ARGS_H

#include "src/kernels/krylov_args.h"

#include <stdbool.h>

/* (D v)(x) = sum_mu X_mu(x) v(x+mu) - X_mu(x-mu)^+ v(x-mu) + naik (N_mu(x) v(x+3mu) - N_mu(x-3mu)^+ v(x-3mu)),
 * with phases and boundary contained in the links.  staggered_hop_sites: out <- D in.
 * staggered_normal: out <- a y - D in, with the sums s0 = Re y^+ out, s1 = |out|^2; y is on the sites of out.
 * X are the fat, N the long links; N is not read if naik is 0. */
typedef struct {
    lattice_view l;
    gauge_view fat, long_links;
    vector_view out, in, y;
    double naik, a;
} staggered_args;

/* The same with links in fixed point: `unit` is the value of a stored 1 of fat links; `naik` contains the unit of long
 * links. */
typedef struct { staggered_args hop; double unit; } packed_hop_args;

/* For the systems of a batch; links are read once for all.  staggered_batch_hop: out <- D in;  staggered_batch_normal:
 * out <- shift y - D in with the shift of the system, and <y, out>, from which its alpha follows.  `unit` as above; 1
 * for native links. */
typedef struct {
    krylov_batch b;
    lattice_view l;
    gauge_view fat, long_links;
    double unit, naik;
    vector_view out[BATCH_MAX_RHS], in[BATCH_MAX_RHS], y[BATCH_MAX_RHS];
} batch_hop_args;

/* Coefficients of a path-improved link (src/operators/staggered_links.h). */
typedef struct { double one, three, five, seven, lepage, naik; } path_table;

/* Working fields for one smeared direction mu (kernels/fat_links.c, kernels/fat_force.c); the index runs over the three
 * other directions in ascending order:
 *     ahead[s], behind[s]   S+_s[U_mu], S-_s[U_mu]:  U_s(x) U_mu(x+s) U_s(x+mu)^+,  U_s(x-s)^+ U_mu(x-s) U_s(x-s+mu)
 *     inner[s]              three U_mu + sum over r of S_r[five U_mu + seven S_q[U_mu]],  q the third direction */
typedef struct { matrix_view ahead[3], behind[3], inner[3]; } staple_views;

typedef struct {
    lattice_view l;
    gauge_view u, out;               /* thin and smeared links */
    staple_views t;
    path_table c;
    int mu;
} fat_args;

/* The chain rule of these steps.  h is dS as a link: dS = 2 Re Tr sum dV h^+.
 *     ahead[s], behind[s]   the adjoints S-_s[h_mu] and S+_s[h_mu] (of S+_s and S-_s);  inner[s]: h of S_s[U_mu]
 * without the Lepage term */
typedef struct {
    lattice_view l;
    gauge_view u, smeared_h, thin_h; /* kernels add to thin_h */
    staple_views t, h;
    path_table c;
    int mu;
} fat_force_args;

/* long_links: out_mu(x) = phase U_mu(x) U_mu(x+mu) U_mu(x+2mu);  link_phases: out = phase in, for links over `hop`
 * sites, in place too.  phase = eta, in the order t, x, y, z (docs/conventions.md), times boundary[re, im] for each
 * crossing of the upper end in t. */
typedef struct {
    lattice_view l;
    gauge_view in, out;
    double boundary[2];
    int hop;                         /* 1 or 3 */
} phase_args;

/* out = in + a w: fat links with the correction of a Naik epsilon */
typedef struct { gauge_view out, in, w; double a; } gauge_sum_args;

/* out_t = i in_t, and 0 in space: links of a current (src/operators/quark_current.h) */
typedef struct { gauge_view out, in; } current_links_args;

/* links of W from V; sums: links that needed the SVD; maxima: 1 / the smallest eigenvalue of V^+V */
typedef struct { lattice_view l; gauge_view v, w; bool special; } unitarize_args;

/* outer products: for each direction, over `count` pairs of vectors psi = x on even, y on odd sites,
 *     h1_mu(x) += fat   eps(x) sum_k a_k psi_k(x) psi_k(x+mu)^+
 *     h3_mu(x) += naik  eps(x) sum_k a_k psi_k(x) psi_k(x+3mu)^+
 *     he_mu(x) += extra eps(x) sum_k a_k psi_k(x) psi_k(x+mu)^+         (not read or written if extra is 0)
 * eps = +1 on even, -1 on odd sites */
typedef struct {
    lattice_view l;
    gauge_view h1, h3, he;
    double fat, naik, extra;
    int count;
    vector_view x[SHIFTS_MAX], y[SHIFTS_MAX];
    double a[SHIFTS_MAX];
} outer_args;

/* naik_force: thin_h += the chain rule of U_mu(x) U_mu(x+mu) U_mu(x+2mu) for h3 (phases already removed) */
typedef struct { lattice_view l; gauge_view u, h3, thin_h; } naik_force_args;

/* unitarize_force: from h of W (in) to h of V (out); unitarize_force.c has the formulas, sums and maxima. */
typedef struct { lattice_view l; gauge_view v, in, out; double filter; bool special; } unitarize_force_args;

/* P <- P + weight F, F = [2 U h^+]_TA; sums: Tr F^+F; maxima: the largest Tr F^+F of a link */
typedef struct { lattice_view l; gauge_view u, h; momentum_view p; double weight; } chain_end_args;

#endif
