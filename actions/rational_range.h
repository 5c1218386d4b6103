/* rational_range.h - for factors of one flavor: the range of a measured spectrum, and rational powers x^(y/z) on
 * it. */
#ifndef KILN_ACTIONS_RATIONAL_RANGE_H
#define KILN_ACTIONS_RATIONAL_RANGE_H

#include "actions/quark_factor.h"
#include "src/rational/rational.h"

/* Rows of the input for a struct with the members smallest_eigenvalue and largest_eigenvalue, and bools with these
 * names in its member `given`.  The variable arguments are added to each row.  ENDS: the documentation begins with
 * `whose`. */
#define RATIONAL_RANGE_SPECS(at, ...) RATIONAL_RANGE_ENDS_SPECS(at, "one flavor: ", __VA_ARGS__)
#define RATIONAL_RANGE_ENDS_SPECS(at, whose, ...)                                                                      \
    { .key = "smallest_eigenvalue", .type = PARAM_REAL, .offset = at(smallest_eigenvalue),                             \
      .given = at(given.smallest_eigenvalue), .formerly = "0", .min = 0, .max = 1000,                                  \
      .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN | PARAM_FREE_TO_CHANGE, __VA_ARGS__                                    \
      .doc = whose "the lower end of the range of the rational functions; else Kiln measures it" },                    \
    { .key = "largest_eigenvalue", .type = PARAM_REAL, .offset = at(largest_eigenvalue),                               \
      .given = at(given.largest_eigenvalue), .formerly = "0", .min = 0, .max = 1000,                                   \
      .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN | PARAM_FREE_TO_CHANGE, __VA_ARGS__                                    \
      .doc = whose "the upper end of the range of the rational functions; else Kiln measures it" }

/* The range of the rational functions: from the input; or measured, with a margin, and unchanged until an eigenvalue
 * comes near its ends.  It is part of the memory of the monomial. */
typedef struct {
    double smallest, largest;               /* 0: not known yet */
    bool given;                             /* by the input */
    double found_smallest, found_largest;   /* since the last prepare; 0: not measured */
    bool renewed;                           /* since the last prepare */
    bool due;                               /* the spectrum must be measured before the next trajectory */
    bool provisional;                       /* measured outside trajectories, which must not depend on it */
} rational_range;
rational_range rational_range_of(const quark_factor_plan *p);

/* Call it before trajectory `number`: discards a provisional range.  Returns whether to measure the spectrum now. */
bool rational_range_begin(rational_range *r, int64_t number);

/* Ends of a spectrum, measured before trajectory `number` (0: outside trajectories). */
typedef struct { double smallest, largest; int64_t number; } spectrum_ends;

/* Compares a measured spectrum with the range.  If a measured range does not contain it with a margin, the range is
 * renewed, and *changed is true.  False with the reason if the ends of the spectrum are not positive numbers, or if a
 * range from the input does not contain it. */
typedef struct ranged_kind ranged_kind;
bool rational_range_found(rational_range *r, bool *changed, const spectrum_ends *ends, const ranged_kind *kind,
                          failure *why);
int  rational_range_get_memory(const rational_range *r, double values[2]);
bool rational_range_set_memory(rational_range *r, const double *values, int count);     /* whether the range changed */
void rational_range_report(const rational_range *r, json *j);
/* The rest of its state, besides the memory, as numbers. */
void rational_range_row(rational_range *r, number_row *row);

/* Advice for an action that differs from |eta|^2 at the start of a trajectory (quark_start_action). */
#define RATIONAL_RANGE_ADVICE "the rational functions do not fit the spectrum (widen smallest_eigenvalue and " \
                          "largest_eigenvalue)"

/* A factor whose functions have such a range.  matrix: the name of the matrix in messages; `ends` measures the spectrum
 * (false with the reason in c->failure); `make` computes the functions for the current range.  The data of the factor
 * begin with a ranged_factor. */
struct ranged_kind {
    const char *matrix;
    double below, above;                    /* of a range: `below` times the smallest, to `above` times the largest */
    bool (*ends)(spectrum_ends *ends, quark_factor *x, const quark_context *q, monomial_call *c);
    bool (*make)(void *data, failure *f);
};
typedef struct {
    const ranged_kind *kind;
    rational_range range;
    quark_start start;
} ranged_factor;

/* Sets c->failure and returns false: the measured spectrum of a C^+C has ends that are not positive numbers. */
bool ranged_fail_ends(const quark_factor *x, const quark_context *q, int matrix, spectral_range found,
                      monomial_call *c);

/* Begin with the range of the plan; compute the functions if the input gives it. */
void ranged_begin(ranged_factor *r, const ranged_kind *kind, const quark_factor_plan *p);
/* For calls outside trajectories: measure the range if it is unknown. */
bool ranged_ready(quark_factor *x, const quark_context *q, monomial_call *c);
/* Functions of a kind (quark_factor.h). */
bool ranged_prepare(quark_factor *x, const quark_context *q, int64_t number, monomial_call *c);
int  ranged_get_memory(const void *data, double values[QUARK_FACTOR_MEMORY]);
int  ranged_set_memory(void *data, const double *values, int count);
void ranged_report(const ranged_factor *r, json *j);
void ranged_progress(void *data, number_row *row);

/* x^(y/z) on the range, from the cache in the folder of the user if possible. */
bool rational_power(rational *r, int y, int z, const rational_range *range, double error, failure *why);
/* An estimate of its number of poles, with an error of at most one, without computing the function: for plans. */
int  rational_power_poles(int y, int z, const rational_range *range, double error);
/* Whether a function with at most `most` poles can reach the error that the plan requests for a role. */
typedef struct {
    int y, z;                               /* x^(y/z) */
    int role;                               /* whose requested error is used */
    int most;                               /* poles */
    const rational_range *expected;         /* used if the plan gives no range; borrowed */
} planned_power;
bool rational_power_check(const planned_power *power, const quark_factor_plan *p, failure *why);

#endif
