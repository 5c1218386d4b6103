/* effective_mass.h - effective masses of the mean meson and baryon correlators of an ensemble.  For mesons, from the
 * correlator at t and at t - s, t + s:
 *
 *     m(t) = arccosh [(C(t-s) + C(t+s)) / (2 C(t))] / s,   C periodic in t
 *
 * in lattice units; C(t) = A cosh M (T/2 - t) gives M for all t.  There is a point if the argument is larger than 1,
 * which excludes noise and the source.  Correlators with a state of sign (-1)^t use s = 2: even and odd t are then
 * separate.  kiln.effective_mass in Python computes the same.
 *
 * In a baryon correlator, states of the opposite parity propagate backward in t.  So its effective mass uses only the
 * first half:
 *     m(t) = log [C(t) / C(t+1)],   t + 1 <= T/2, where both are positive */
#ifndef KILN_MEASURE_EFFECTIVE_MASS_H
#define KILN_MEASURE_EFFECTIVE_MASS_H

#include "src/measure/result_member.h"

/* Functions of the mean of a list C(t), t < T, as a table of T rows: "pion_m_eff(t)" for t = 0 ... T - 1. */
extern const measured_table effective_mass_of_pion;             /* of two quarks of one mass: s = 1 */
extern const measured_table effective_mass_of_pair;             /* of two masses: s = 1 */
extern const measured_table effective_mass_of_vector;           /* of one mass or two, "vector_m_eff(t)": s = 1 */
extern const measured_table effective_mass_of_kaon, effective_mass_of_d_meson, effective_mass_of_d_s_meson;
extern const measured_table effective_mass_of_staggered_pair;   /* s = 2: gamma_t x xi_t alternates if m != m' */

/* The same of a baryon: "nucleon_m_eff(t)", "delta_m_eff(t)" for t = 0 ... T/2 - 1. */
extern const measured_table effective_mass_of_nucleon, effective_mass_of_delta;
extern const measured_table effective_mass_of_sigma, effective_mass_of_xi, effective_mass_of_lambda;

#endif
