/* ape.h - APE smearing of the links in space, for operators of static sources with less noise.
 *
 *     U_i <- projection to SU(3) of (1 - alpha) U_i + alpha/4 (the four staples in space),   level after level
 *
 * (APE collaboration, M. Albanese et al., Phys. Lett. B 192 (1987) 163).  The projection takes the unitary part
 * V (V^+V)^(-1/2), and removes the phase of its determinant (kernels/unitarize.c); it is gauge covariant. */
#ifndef KILN_OPERATORS_APE_H
#define KILN_OPERATORS_APE_H

#include "src/gauge/gauge.h"

typedef struct { int64_t levels; double alpha; } ape_params;

/* Smears u in place; `scratch` is overwritten.  Both fields have the same place and precision.  Links in t keep their
 * values up to rounding.  Collective. */
void ape_smear(gauge *u, gauge *scratch, const ape_params *p);

#endif
