/* condensate_results.h - the values of all sources, and their means in the record: condensates, susceptibilities,
 * number densities.  Everything is for one flavor, in lattice units; V is the number of sites.
 *
 *     c_i     = (1/4V) eta_i^+ (m + D/2)^-1 eta_i                 condensate of source i, of n
 *     c^2     = sum over i != j of c_i c_j / (n (n - 1))          without the bias of <c_i>^2 by noise
 *     connected susceptibility    dc/dm = -(1/4V) Tr (m + D/2)^-2 = -(1/V) Tr M^-2
 *     disconnected susceptibility V (<c^2> - <c>^2)               of the ensemble: curves of condensate.c
 *     subtracted condensate       c - (m/m_s) c_s
 *     number density              n = (1/4V) Tr M^-1 dM/dmu = i n_I;  `number_density` is n_I
 *
 * Definitions of susceptibilities: HotQCD, arXiv:1111.1710, with n_f = 1. */
#ifndef KILN_MEASURE_CONDENSATE_RESULTS_H
#define KILN_MEASURE_CONDENSATE_RESULTS_H

#include "src/measure/condensate_params.h"

typedef struct condensate_results condensate_results;

/* For all masses and sources; params are borrowed. */
condensate_results *condensate_results_create(const condensate_params *p);
void condensate_results_free(condensate_results *r);

/* Forget the residuals of earlier configurations. */
void condensate_results_begin(condensate_results *r);

/* Sets the values of a source for mass number `mass`. */
void condensate_results_set(condensate_results *r, int mass, int source, const quark_trace *t);

/* The member "masses"; epsilon[set[m]] is the Naik epsilon of mass m. */
void condensate_results_to_json(json *j, condensate_results *r, const double *epsilon, const int *set);

#endif
