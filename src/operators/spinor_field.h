/* spinor_field.h - vectors of Dirac spinors: of Wilson quarks, with one slice, and of domain-wall quarks, with Ls.
 *
 * A vector of spinors has SLAB_GROUP slabs a slice: one slab, a color vector, for each spin. */
#ifndef KILN_OPERATORS_SPINOR_FIELD_H
#define KILN_OPERATORS_SPINOR_FIELD_H

#include "src/gauge/gauge.h"
#include "src/lattice/vec.h"

/* Vectors with Ls slices: native in a precision, or in a packed format. */
vec *spinor_vec_create(lattice *l, parity_set on, place where, precision p, int Ls);
vec *spinor_vec_create_format(lattice *l, parity_set on, place where, vector_format f, int Ls);

/* A vector on all sites is a pair of vectors, one for each parity.  It is created as zero, in double precision, in the
 * memory (CPU or GPU) where u is. */
typedef struct { vec *even, *odd; } spinor_field;
spinor_field spinor_field_create(const gauge *u, int Ls);
void spinor_field_free(spinor_field f);
vec *spinor_field_part(spinor_field f, parity_set on);      /* borrowed */
double spinor_field_norm2(spinor_field f);
complex_number spinor_field_dot(spinor_field x, spinor_field y);     /* x^+ y */
void spinor_field_axpy(spinor_field y, double a, spinor_field x);    /* y <- y + a x */

#endif
