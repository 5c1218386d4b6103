/* momentum.h - the momentum of the gauge field: type and operations.
 *
 * P is antihermitian and traceless; the kinetic energy is (1/2) sum Tr P^+P; dU/dtau = P U (the unit of MILC, CPS and
 * Grid). */
#ifndef KILN_GAUGE_MOMENTUM_H
#define KILN_GAUGE_MOMENTUM_H

#include "src/lattice/field_slices.h"

enum { MOMENTUM_REALS = 4 * 8, MATRIX_REALS = 18 };       /* reals of a site, [mu][8] (site/algebra.h); of a matrix */

typedef struct { field f; } momentum;

momentum *momentum_create(lattice *l, place where, precision p);
void   momentum_free(momentum *p);
size_t momentum_bytes(const lattice_shape *shape, precision p);    /* for memory estimates */
momentum *momentum_create_near(lattice *l, place where, precision p);   /* with ghost sites GHOSTS_NEAR */
size_t momentum_near_bytes(const lattice_shape *shape, precision p);
momentum_view momentum_view_of(const momentum *p);
void momentum_copy(momentum *to, const momentum *from);
void momentum_zero(momentum *p);
void momentum_set_gaussian(momentum *p, rng_key key);              /* density exp(-momentum_kinetic) */
/* With open boundaries in t: multiply the momenta of links in space in the first and the last slice by `ends`, and set
 * those of inactive links to 0 (kernels/open_args.h). */
void momentum_scale_ends(momentum *p, double ends);
/* P <- factor P on the links in t. */
void momentum_scale_time(momentum *p, double factor);
void momentum_axpy(momentum *y, double a, const momentum *x);      /* y <- y + a x */
void momentum_mix(momentum *y, double a, const momentum *x, double b);          /* y <- a x + b y */
double momentum_kinetic(const momentum *p);                        /* (1/2) sum Tr P^+P */
typedef struct { double sum_norm2, max_norm2; } momentum_size;     /* sum and maximum over links of Tr P^+P */
momentum_size momentum_measure(const momentum *p);

/* Time slices of full matrices [z][y][x][mu][row][col][re,im] (field_slices.h).  The sink stores the antihermitian
 * traceless part of the matrices.  `rest`: the largest element, over all slices so far, of the part that it drops, or
 * NaN if an element is not finite. */
typedef struct { momentum *p; double rest; } momentum_intake;
slice_source momentum_matrix_slices(const momentum *p);
slice_sink momentum_matrix_sink(momentum_intake *in);

#endif
