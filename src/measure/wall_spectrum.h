/* wall_spectrum.h - the ends of |gamma5 Dw|, the kernel of domain-wall quarks.
 *
 * By Lanczos with H = gamma5 Dw on all sites, and with H^-1: interior eigenvalues of H are the outer ones of H^-1. */
#ifndef KILN_MEASURE_WALL_SPECTRUM_H
#define KILN_MEASURE_WALL_SPECTRUM_H

#include "src/operators/domain_wall.h"
#include "src/solvers/solver.h"

typedef struct wall_spectrum wall_spectrum;
wall_spectrum *wall_spectrum_create(const gauge *u, double height);
void wall_spectrum_free(wall_spectrum *s);
size_t wall_spectrum_bytes(const lattice_shape *shape);

/* Each an eigenvalue to about 1e-3 of itself: smallest from above, largest from below.  The start vector is that of
 * the key, from a draw on.  False where a solve does not converge. */
typedef struct { double smallest, largest; int64_t iterations; } kernel_range;
bool wall_spectrum_measure(kernel_range *r, wall_spectrum *s, const wall_links *links, rng_key key,
                           uint32_t first_draw, int max_iterations, failure *f);

#endif
