/* wall_one_flavor.h - what the factors of one flavour share: the range of a spectrum, functions x^(y/z) on it, and the
 * check that a trajectory starts with S = |eta|^2. */
#ifndef KILN_ACTIONS_WALL_ONE_FLAVOR_H
#define KILN_ACTIONS_WALL_ONE_FLAVOR_H

#include "actions/wall_factor.h"
#include "src/rational/rational.h"

/* Where the functions hold: as the input says, or measured with a margin, kept until an eigenvalue comes near its ends,
 * and remembered. */
typedef struct {
    double smallest, largest;               /* 0: not known yet */
    bool given;
    double found_smallest, found_largest;   /* when it was last measured */
    bool renewed, due;                      /* since the last prepare; to be measured whatever the number */
} wall_range;
wall_range wall_range_of(const wall_factor_plan *p);

/* Whether the spectrum is to be measured before trajectory `number`. */
bool wall_range_is_due(const wall_range *r, int64_t number);

/* Takes in what was found of the matrix of that name.  A range that is given must hold it: else false with advice.
 * One that is measured is made anew where it does not (`changed`): from `below` times the smallest eigenvalue on, to
 * `above` times the largest one. */
bool wall_range_found(wall_range *r, bool *changed, double smallest, double largest, double below, double above,
                      const char *matrix, failure *why);
int  wall_range_recall(const wall_range *r, double values[2]);
bool wall_range_remember(wall_range *r, const double *values, int count);          /* whether it changed */
void wall_range_report(const wall_range *r, json *j);

/* x^(y/z) on the range, from the user's folder of such functions if it is there. */
bool wall_power(rational *r, int y, int z, const wall_range *range, double error, failure *why);
/* How many poles that takes, without making it: for plans; one more or less is possible. */
int  wall_power_poles(int y, int z, const wall_range *range, double error);
/* Whether that many are possible, of a role; the range is that of the plan or, where it is not given, `expected`. */
bool wall_power_check(int y, int z, int most, const wall_factor_plan *p, int role, const wall_range *expected,
                      failure *why);

/* S = |eta|^2 for the links that the heat bath saw: held against the first action after it. */
typedef struct { double eta_norm2, apart; uint64_t version; } wall_start;          /* version 0: nothing to compare */
void wall_start_drawn(wall_start *s, double eta_norm2, const wall_shop *shop);
/* False with the reason where S is farther from |eta|^2 than errors and residuals explain. */
bool wall_start_action(wall_start *s, double action, const wall_factor_plan *p, const wall_shop *shop, failure *why);
void wall_start_report(const wall_start *s, json *j);

#endif
