/* hyp.h - hypercubic smearing of links, which mixes only links of the hypercubes that a link belongs to: for lines of
 * static quarks with less noise (kernels/hyp_links.c has the definition).
 *
 * Each of the three levels is projected as in APE smearing (operators/ape.h), covariantly under changes of gauge. */
#ifndef KILN_OPERATORS_HYP_H
#define KILN_OPERATORS_HYP_H

#include "src/gauge/gauge.h"

/* alpha[0] of the outer level 3, alpha[1] of level 2, alpha[2] of the inner level 1: alpha_1, alpha_2, alpha_3 of
 * A. Hasenfratz and F. Knechtli, who chose HYP1; HYP2: M. Della Morte, A. Shindler, R. Sommer, hep-lat/0506008. */
typedef struct { double alpha[3]; } hyp_params;
extern const hyp_params hyp1, hyp2;

/* Memory of the inner levels. */
typedef struct hyp_levels hyp_levels;
hyp_levels *hyp_levels_create(const gauge *u);
void hyp_levels_free(hyp_levels *h);
size_t hyp_levels_bytes(const lattice_shape *shape, precision p);

/* out: the smeared links of u, all four directions; another field at the same place and in the same precision.
 * Collective. */
void hyp_smear(gauge *out, const gauge *u, hyp_levels *h, const hyp_params *p);

#endif
