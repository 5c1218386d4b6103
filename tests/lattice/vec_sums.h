/* vec_sums.h - vectors on the host: their numbers, sums of multiples of them, and the systems of a multishift solve. */
#ifndef KILN_TESTS_LATTICE_VEC_SUMS_H
#define KILN_TESTS_LATTICE_VEC_SUMS_H

#include "src/lattice/vec.h"
#include "src/lattice/vec_steps.h"

/* How many numbers a vector of the whole lattice has, in all slabs; and these numbers, by vec_export (memory_free). */
size_t vec_count(const vec *v);
double *vec_numbers(const vec *v);

/* Continue `digest` (digest64) with these numbers. */
uint64_t vec_digest(uint64_t digest, const vec *v);

/* a x + b y + c z of three multiples, computed on the host (memory_free). */
typedef struct { double factor; const vec *x; } multiple;
double *vec_sum(const multiple of[3]);

/* The distance of v from such a sum; a random vector like v, number n. */
typedef double vec_distance(const vec *v, const multiple of[3]);
typedef vec *vec_random(const vec *v, unsigned n);

/* Systems with random x (number 2) and p (number 3) and a step with these coefficients. */
typedef struct {
    int count;
    vec *x[SHIFTS_MAX], *p[SHIFTS_MAX];
    double a[SHIFTS_MAX], b[SHIFTS_MAX], c[SHIFTS_MAX];
} shift_systems;
shift_systems shift_systems_create(const vec *like, int count, vec_random *random);
void shift_systems_free(shift_systems *s);

/* vec_multishift_update of all systems with the residual r; returns the largest distance of an x from y + a z, and of
 * a p from c r + b z, where y and z are the random vectors number 2 and 3. */
double shift_systems_update(shift_systems *s, const vec *r, const vec *y, const vec *z, vec_distance *distance);

#endif
