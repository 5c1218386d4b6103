/* rational.h - partial fractions that approximate products of powers of (x + 4 m^2).
 *
 *     r(x) = constant + sum_k residue_k / (x + pole_k)  ~=  f(x) = prod_j (x + 4 m_j^2)^(y_j / z_j)
 *
 * x is an eigenvalue of the massless staggered operator K = -D_eo D_oe (operators/staggered.h), so x >= 0 and the
 * masses enter through the poles.  The largest relative error |r/f - 1| over [lower, upper] is minimal among rational
 * functions of the same degree (Remez; M. A. Clark and A. D. Kennedy, hep-lat/0608015).  Poles are real and above
 * -lower, in ascending order. */
#ifndef KILN_RATIONAL_RATIONAL_H
#define KILN_RATIONAL_RATIONAL_H

#include "src/rational/power_product.h"

#define RATIONAL_LEAST_ERROR 1e-15

/* The function to approximate, the range, the error. */
typedef struct {
    const power_product *f;                  /* borrowed */
    double lower, upper;                     /* of x */
    double error;                            /* at most, relative; at least RATIONAL_LEAST_ERROR */
} rational_goal;

/* The approximation of lowest order that reaches the goal; false with the reason if RATIONAL_POLES poles do not
 * suffice, or if poles are not real and above -lower.  An f that is itself a sum of partial fractions is used exactly,
 * with error 0. */
bool rational_make(rational *r, rational_goal goal, failure *why);

/* The approximation of a given order (or of a lower one that is exact). */
bool rational_make_order(rational *r, const power_product *f, double lower, double upper, int order, failure *why);

/* The same as rational_make with a cache of files in `directory` (created when needed), named by a digest of the goal;
 * a damaged or foreign file is written again.  Without write permission there is no cache, but no failure. */
bool rational_cached(rational *r, const char *directory, rational_goal goal, failure *why);

/* The folder of the user for the cache: $KILN_CACHE, else kiln in $XDG_CACHE_HOME or in ~/.cache; false if there is
 * none (KILN_CACHE is empty, or there is no home). */
bool rational_cache_folder(text *path);

/* The three functions of one pseudofermion for det(prod_j (K + 4 m_j^2)^(nf_j/4)): powers nf_j/8 for the refresh,
 * -nf_j/8 for the action |r(K) phi|^2, and -nf_j/4 for the force. */
typedef struct {
    double naik_epsilon;
    rational force, refresh, action;       /* MD, GR, FA in files of MILC */
} rational_set;

typedef struct { double mass; int flavors; } mass_flavors;        /* negative flavors: in the denominator */
typedef struct { double force, refresh, action; } rational_errors;     /* relative */

/* The targets of the functions of one of `roots` equal pseudofermions of these quarks: the powers above, divided by
 * roots. */
typedef struct { power_product force, refresh, action; } rational_targets;
rational_targets rational_set_targets(const mass_flavors *quarks, int count, int roots);

/* One of `roots` equal pseudofermions that stand for det(prod_j (K + 4 m_j^2)^(flavors_j/4)), j < count: powers
 * flavors_j / (8 roots) and so on.  All borrowed. */
typedef struct {
    const mass_flavors *quark;
    int count, roots;
    double upper;                            /* the functions are for eigenvalues in [0, upper] */
    const rational_errors *error;            /* at most */
    const char *cache;                       /* a directory, or NULL */
} rational_set_goal;

/* Its functions, with naik_epsilon 0. */
bool rational_set_make(rational_set *set, const rational_set_goal *goal, failure *why);

/* Checks that each function agrees with its target on [lower, upper] within `tolerances` and rounding, that the target
 * of the action is the inverse of that of the refresh, and that the target of the force is the square of that of the
 * action.  If not, false with the reason. */
bool rational_set_check(const rational_set *set, double lower, double upper, const rational_errors *tolerances,
                        failure *why);

#endif
