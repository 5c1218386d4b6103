/* hyperons.h - two-point functions of baryons of the octet with quarks of two masses, light l (u and d) and strange s,
 * from the 12 columns of both propagators.
 *
 *     sigma    eps_abc (u_a^T C gamma5 s_b) u_c
 *     xi       eps_abc (s_a^T C gamma5 u_b) s_c
 *     lambda   eps_abc [2 (u_a^T C gamma5 d_b) s_c + (u_a^T C gamma5 s_b) d_c - (d_a^T C gamma5 s_b) u_c] / 6^1/2
 * with both parities, conjugates, signs and momenta as the nucleon (baryons.h), which all of them are for equal masses.
 *
 * Wick's theorem: with D(x, y; z) and E(x, y; z) the terms direct and exchange of kernels/baryon_args.h for S1, S2, S3
 * of the flavors x, y, z,
 *     sigma = D(l, s; l) + E(l, s; l),   xi = D(s, l; s) + E(s, l; s)
 *     lambda = [4 D(l, l; s) + 2 D(l, s; l) + 4 E(l, l; s) + 4 E(s, l; l) - 2 E(l, s; l)] / 6 */
#ifndef KILN_MEASURE_HYPERONS_H
#define KILN_MEASURE_HYPERONS_H

#include "src/measure/baryons.h"

typedef struct hyperons hyperons;
hyperons *hyperons_create(const gauge *u);
void hyperons_free(hyperons *h);
size_t hyperons_bytes(const lattice_shape *shape);

void hyperons_contract(hyperons *h, const quark_columns *light, const quark_columns *strange);
void hyperons_to_json(json *j, const hyperons *h, const baryon_sink *sink);

/* The densities, HYPERON_REALS reals a site: for tests. */
const field *hyperons_density(const hyperons *h);

#endif
