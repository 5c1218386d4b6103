/* abelian_field.h - links exp(i theta_mu(x) H), H = diag(1, -1, 0), on which much is known in closed form. */
#ifndef KILN_TESTS_MEASURE_ABELIAN_FIELD_H
#define KILN_TESTS_MEASURE_ABELIAN_FIELD_H

#include "src/gauge/gauge.h"

typedef double angle_fn(const int x[4], int mu, double parameter);
gauge *abelian_gauge(lattice *l, place where, angle_fn *angle, double parameter);

/* Constant fluxes B_xz = abelian_flux(n, 0) and B_zt = abelian_flux(n, 3), 2 pi over the sites of the plane, on a
 * lattice of extents n; no flux in other planes. */
double abelian_flux(const int n[4], int mu);
gauge *abelian_constant_flux(lattice *l, place where);

/* The angles of such links, [t][z][y][x][mu], each in (-pi, pi]; memory_free. */
double *abelian_angles(const gauge *u);

/* The largest difference of the angles of u to `factor` times those of a wave, over its amplitude. */
double abelian_off_wave(const gauge *u, angle_fn *wave, double amplitude, double factor);

#endif
