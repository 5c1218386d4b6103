/* baryons.h - two-point functions of baryons of three quarks of one mass, from the 12 columns of a propagator.
 *
 *     nucleon   N = eps_abc (u_a^T C gamma5 d_b) u_c,        u and d of the same mass
 *     delta     D_i = eps_abc (q_a^T C gamma_i q_b) q_c,     three quarks of one flavor: Delta++, or Omega
 *     N+(t) = sum over x of Tr (1 + gamma_t)/2 <N(x) Nbar(0)>,   N-(t) = - the same with (1 - gamma_t)/2
 *     D+-(t) the same with sum over i, j of P_ji <D_i(x) Dbar_j(0)>,   P_ij = delta_ij - gamma_i gamma_j / 3
 * with Nbar = N^+ gamma_t, C = gamma_y gamma_t, x and t counted from the source.  P is the projector on spin 3/2 of a
 * baryon at rest.  N+ is positive at early times, where states of positive parity dominate it, as is N- with negative
 * parity.  Beyond the boundary in t, three quarks have the sign of the boundary, which is removed: the mean correlators
 * do not depend on the source.
 *
 * Wick's theorem gives, with M of kernels/baryon_args.h for C gamma5 and gamma_t (C gamma5)^+ gamma_t^T,
 *     <N Nbar> = sum over c, c' of Tr(M) S^(cc') + S^(cc') M,   <D_i Dbar_j> = the same of 2 Tr(M) S + 4 S M. */
#ifndef KILN_MEASURE_BARYONS_H
#define KILN_MEASURE_BARYONS_H

#include "src/kernels/baryon_args.h"
#include "src/measure/momentum_sums.h"
#include "src/measure/quark_columns.h"

typedef struct baryons baryons;

baryons *baryons_create(const gauge *u);
void baryons_free(baryons *b);
memory_need baryons_bytes(const lattice_shape *shape);

/* Contracts the 12 columns of a propagator, for the functions below. */
void baryons_contract(baryons *b, const quark_columns *q);

/* The sums in time of a source at `origin`, with the momenta, as members of the open object; boundary: of the quarks in
 * t, 1 or -1. */
typedef struct { const param_list *momenta; const int *origin; double boundary; } baryon_sink;
void baryons_to_json(json *j, const baryons *b, const baryon_sink *sink);

/* The same of any density with two numbers for each channel, the traces with 1 and gamma_t; name NULL at the end. */
typedef struct { const char *name; bool has_mass; } baryon_channel;
void baryon_channels_to_json(json *j, const field *density, const baryon_channel *channels, const baryon_sink *sink);

/* C g, and gamma_t (C g)^+ gamma_t^T of the conjugate baryon. */
spin_matrix baryon_diquark(spin_matrix g);
spin_matrix baryon_diquark_bar(spin_matrix g);

/* log (C(t1)/C(t2)) / (t2 - t1) at t1 = T/8 and t2 = T/4, in lattice units: a rough mass to monitor a run; NaN if
 * C(t1) or C(t2) is not positive, or for too few times. */
double baryon_mass(const double *c, int times);
void baryon_mass_times(int *first, int *last, int times);

/* The terms of both channels; the densities, BARYON_REALS reals a site (baryon_args.h): for tests. */
int baryon_terms(baryon_term term[BARYON_TERMS_MAX]);
const field *baryons_density(const baryons *b);

#endif
