/* vec.h - color vectors: fermion fields and the linear algebra of solvers.
 *
 * A color vector has three complex numbers per site, on one parity or on all sites (staggered fermions).  Spinors are
 * slabs of color vectors on one parity: slab 4 slice + spin, with one slice for Wilson quarks.  A packed format has a
 * scale for each site of each slab, because slices and chiralities differ by orders of magnitude.
 *
 * All vectors of one call are on the same sites, at the same place, in the same precision and format.  The
 * arithmetic of a format other than native has a fixed precision (site/formats.h); reading such a vector returns the
 * rounded numbers that it stores.  Norms and products are summed over all ranks (collective) and exact
 * (site/exact_sum.h): they do not depend on device, ranks or order. */
#ifndef KILN_LATTICE_VEC_H
#define KILN_LATTICE_VEC_H

#include "src/kernels/vector_args.h"
#include "src/lattice/field.h"

enum { VEC_REALS = 6 };

typedef struct { field f; vector_format format; } vec;

extern const char *const vector_format_names[];             /* "native", "half", "int20", "int30", NULL */
precision vector_format_precision(vector_format f);         /* of its arithmetic; native exists in both */

/* Zeroed vectors; vec_free frees them, and accepts NULL.  Fatal if memory runs out. */
vec *vec_create(lattice *l, parity_set on, place where, precision p);                       /* native */
vec *vec_create_format(lattice *l, parity_set on, place where, vector_format f);            /* another format */
/* The same with slabs (field.h); vec_create_native: a native one on the sites and slabs of `like`. */
vec *vec_create_slabs(lattice *l, parity_set on, place where, precision p, int slabs);
vec *vec_create_slabs_format(lattice *l, parity_set on, place where, vector_format f, int slabs);
vec *vec_create_native(const vec *like, precision p);

/* How numbers are stored: a format and, for native only, its precision. */
typedef struct { vector_format format; precision precision; } vec_storage;
vec *vec_create_stored(lattice *l, parity_set on, place where, vec_storage in, int slabs);
size_t vec_stored_bytes(const lattice_shape *shape, vec_storage in, parity_set on);         /* of one slab */
void vec_free(vec *v);
size_t vec_bytes(const lattice_shape *shape, precision p, parity_set on);                 /* of one slab */
size_t vec_format_bytes(const lattice_shape *shape, vector_format f, parity_set on);
vector_view vec_view(const vec *v);
vector_view vec_slab_view(const vec *v, int slab);          /* as if the vector had only this slab */
vec vec_slice(const vec *v, int slice);                     /* spinors of one slice as a vector; owns no memory */
site_range vec_sites(const vec *v);
double vec_global_count(const vec *v);                      /* its color vectors on all ranks */

/* vec_on_same_sites: whether both have the same sites and slabs, at the same place.  vec_are_alike: also the same
 * precision and format. */
bool vec_on_same_sites(const vec *a, const vec *b);
bool vec_are_alike(const vec *a, const vec *b);

/* Changes the parity of a vector and keeps its memory; its numbers are then undefined. */
void vec_move_to(vec *v, parity_set on);

void vec_zero(vec *v);
void vec_copy(vec *to, const vec *from);                    /* between places too */
void vec_convert(vec *to, const vec *from);                 /* between precisions and formats, at one place */
/* [t][z][y][x][color][re,im], with slabs [slice][t][z][y][x][spin][color][re,im]; other sites are ignored on the way
 * in */
void vec_import(vec *v, const double *lexicographic);
void vec_export(double *lexicographic, const vec *v);       /* other sites are zero */

/* Complex normally distributed components with weight exp(-|eta|^2).  The first slab uses the draws first_draw ..
 * first_draw + VECTOR_DRAWS - 1 of the key, the next slab the following ones. */
void vec_set_gaussian(vec *v, rng_key key, uint32_t first_draw);

double vec_norm2(const vec *x);
double vec_site_norm2(const vec *x);                        /* the largest |x|^2 of a site, over all slabs; native */
typedef struct { double re, im; } complex_number;
complex_number vec_dot(const vec *x, const vec *y);         /* x^+ y */
void vec_axpy(vec *y, double a, const vec *x);              /* y <- y + a x */
void vec_xpay(vec *y, const vec *x, double a);              /* y <- x + a y */

/* y <- y + a x; returns |y|^2.  `guess` is an estimate of the result.  The relative error of the result is below
 * 2^-57 plus rounding to double for any guess; if the guess is wrong by more than a factor 4096, the sum is computed
 * again. */
double vec_axpy_norm2(vec *y, double a, const vec *x, double guess);

/* y <- a x + sum_k c_k v_k: partial fractions */
void vec_combine(vec *y, double a, const vec *x, const double *c, vec *const *v, int count);

#endif
