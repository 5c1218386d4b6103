/* dwf_walls.h - quarks in four dimensions from domain-wall quarks.
 *
 *     D5(m) psi = v,   v_s = w_s - c_s Dw w_s,   w_0 = P+ eta, w_(Ls-1) = P- eta, else 0
 *     q = P+ psi_(Ls-1) + P- psi_0 = [D(m)^-1 - 1] eta / (1 - m),   D(m) = (1 + m)/2 + (1 - m)/2 gamma5 S
 *     in the middle, for every even Ls: q' = P+ psi_(Ls/2-1) + P- psi_(Ls/2)
 * with S of operators/dwf_weights.h (T. Blum et al., hep-lat/0007038; R. C. Brower, H. Neff, K. Orginos,
 * arXiv:1206.5214).  If the weights are symmetric between the walls and Ls is even, the axial Ward identity holds on
 * every configuration, for every source:
 *     m |q|^2 + |q'|^2 = Re eta^+ q */
#ifndef KILN_MEASURE_DWF_WALLS_H
#define KILN_MEASURE_DWF_WALLS_H

#include "src/measure/quark_propagator.h"
#include "src/operators/dwf_operator.h"

/* Of propagators (quark_propagator.h) of domain-wall quarks. */
extern const quark_walls dwf_walls;

/* Whether the Ward identity holds. */
bool dwf_ward_identity_holds(const dwf_weights *w);

#endif
