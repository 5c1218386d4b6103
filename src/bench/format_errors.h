/* format_errors.h - the error of an operator if links and vectors are stored in a format: the share of the numbers of
 * its result that deviate by more than epsilon from double precision.
 *
 * As M. A. Clark et al., Maximizing the Bang Per Bit, arXiv:2302.09224, Figure 3: deviations are absolute, of real and
 * imaginary parts one by one.  Here v has complex normal components of weight exp(-|v|^2), so that epsilon is in units
 * of a component of v; those of D v have the size component_rms.  The error comes from the storage of v, D v and the
 * links, and from the arithmetic. */
#ifndef KILN_BENCH_FORMAT_ERRORS_H
#define KILN_BENCH_FORMAT_ERRORS_H

#include "src/lattice/rng.h"
#include "src/lattice/vec.h"
#include "src/operators/staggered_low.h"

enum { ERROR_LEVELS_MAX = 64 };
typedef struct { double epsilon, beyond; } error_level;      /* beyond: the share (0 to 1) of numbers off by more */

typedef struct {
    int count;
    error_level level[ERROR_LEVELS_MAX];
    double component_rms;             /* of the numbers of D v */
    double rms, largest;              /* of the deviations */
} format_errors;

/* How vectors are stored, and the storage in which the operator computes with them, and reads its links: the same; or a
 * native one, to see what a format is worth with other arithmetic. */
typedef struct { vec_storage stored, computed; } format_pair;

/* One set of links in double precision, updated; how the operator reads long links; v comes from `key`. */
typedef struct {
    const staggered_links *links;
    int set;
    naik_storage naik;
    rng_key key;
} staggered_errors_of;

/* Of D; `count` epsilons, at most ERROR_LEVELS_MAX. */
format_errors format_errors_measure(const staggered_errors_of *of, format_pair in, const double *epsilon, int count);

/* Of the result `got`, in any storage, if `want` is that in double precision. */
format_errors format_errors_of(const vec *got, const vec *want, const double *epsilon, int count);

#endif
