/* format_errors.h - the error of an operator D if links and vectors are stored in a format: the share of the numbers of
 * D v that deviate by more than epsilon from double precision.
 *
 * As in M. A. Clark et al., Maximizing the Bang Per Bit, arXiv:2302.09224, Figure 3, deviations are absolute, taken
 * separately for real and imaginary parts.  Here v has complex normal components of weight exp(-|v|^2), so epsilon is
 * in units of a component of v; component_rms is the root mean square of the components of D v.  The error comes from
 * the storage of v, D v and the links, and from the arithmetic. */
#ifndef KILN_BENCH_FORMAT_ERRORS_H
#define KILN_BENCH_FORMAT_ERRORS_H

#include "src/lattice/rng.h"
#include "src/lattice/vec.h"
#include "src/operators/staggered_low.h"

enum { ERROR_LEVELS_MAX = 64 };
typedef struct { double epsilon, beyond; } error_level;      /* beyond: the share (0 to 1) of larger deviations */

typedef struct {
    int count;
    error_level level[ERROR_LEVELS_MAX];
    double component_rms;             /* of the numbers of D v */
    double rms, largest;              /* of the deviations */
} format_errors;

/* stored: storage of the vectors; computed: storage of the operator and its links.  They are equal, or `computed` is
 * native, which shows the errors of a format with more accurate arithmetic. */
typedef struct { vec_storage stored, computed; } format_pair;

/* A set of links in double precision, updated; the storage of long links; `key` gives v. */
typedef struct {
    const staggered_links *links;
    int set;
    naik_storage naik;
    rng_key key;
} staggered_errors_of;

/* The errors of D at `count` epsilons, at most ERROR_LEVELS_MAX. */
format_errors format_errors_measure(const staggered_errors_of *of, format_pair in, const double *epsilon, int count);

/* The errors of the result `got`, in any storage; `want`: the result in double precision. */
format_errors format_errors_of(const vec *got, const vec *want, const double *epsilon, int count);

#endif
