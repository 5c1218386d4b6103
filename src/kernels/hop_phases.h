/* hop_phases.h - the phases of boundary conditions, spread over the links of their direction:
 *
 *     U_mu(x) -> phase_mu U_mu(x),   phase_mu = exp(i pi theta_mu / L_mu)
 *
 * With psi'(x) = exp(-i pi theta x / L) psi(x), a field with psi(x + L_mu e_mu) = exp(i pi theta_mu) psi(x) becomes
 * periodic, and its hop becomes the hop with these links (P. F. Bedaque, nucl-th/0402051; G. M. de Divitiis, R.
 * Petronzio, N. Tantalo, hep-lat/0405002).  The stored links have no phases: a kernel multiplies the spinors that it
 * transports.  On anisotropic lattices, phases in space have a real factor, the weight of hops in space
 * (operators/hop_links.h): everything that uses phases is linear in them. */
#ifndef KILN_KERNELS_HOP_PHASES_H
#define KILN_KERNELS_HOP_PHASES_H

#include <stdbool.h>

/* phase: real and imaginary part; not read unless `on` */
typedef struct { bool on; double phase[4][2]; } hop_phases;

#endif
