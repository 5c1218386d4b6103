/* measurement.h - what a run measures beside its trajectories: a kind is a constant table of functions.
 *
 * After every trajectory whose number is a multiple of `every` a measurement works on the links as they are after the
 * Metropolis step, and writes what it finds as members of a JSON object.  It changes nothing: a run makes the same
 * links whatever is measured.  Adding a kind touches its own file and one line of measurements.c. */
#ifndef KILN_MEASURE_MEASUREMENT_H
#define KILN_MEASURE_MEASUREMENT_H

#include "src/base/clock.h"
#include "src/config/schema.h"
#include "src/lattice/gauge.h"
#include "src/measure/curve_scale.h"

typedef struct measurement measurement;

/* A number for people who look at a run: member `key` of the result (a dot parts names of members of members), or that
 * of each item of its member `list`, told apart by the item's member `label`, a number.  NULL: no list.  What a result
 * does not have is not told. */
typedef struct { const char *list, *label, *key; } headline;

/* A curve y(x) that every result records, as lists of numbers at these paths ("along.t"), and the numbers that are read
 * off its mean over an ensemble: `scales` ends with { 0 }.  They are no headlines: a mean over configurations whose own
 * curves reach the level would be one over a biased part of them.  `range`: the parameter that x ends at; `limit`: up
 * to which x a lattice of an extent holds the curve, in words and as a number. */
typedef struct {
    const char *x, *y, *range, *limit;
    double     (*limit_of)(int extent);
    const curve_scale *scales;
} measured_curve;

/* What the parameters of every kind begin with, and the first two rows of its table. */
typedef struct { char *name; int64_t every; } measurement_params;
#define MEASUREMENT_SPECS(default_name)                                                                                \
    { .key = "name", .type = PARAM_TEXT, .offset = offsetof(measurement_params, name), .fallback = default_name,       \
      .flags = PARAM_NOT_EMPTY, .doc = "name of its results in the record" },                                          \
    { .key = "every", .type = PARAM_INT, .offset = offsetof(measurement_params, every), .fallback = "1", .min = 1,     \
      .max = 4294967295.0, .doc = "number of trajectories between two measurements" }

typedef struct {
    param_kind input;                   /* name and parameters */
    const headline *headlines;          /* ends with { 0 } */
    const measured_curve *curves;       /* ends with { 0 }; NULL: none */
    /* What the table cannot say. */
    bool         (*check)(const void *params, const lattice_shape *shape, failure *f);
    measurement *(*create)(const void *params, const gauge *u);         /* params are borrowed; links like `u` */
    void         (*free)(measurement *m);
    /* Write results into the open object of `j`, the times of parts under the timer that is open.  Random numbers are
     * those of `key`.  False with the reason where numbers disappoint. */
    bool         (*run)(measurement *m, const gauge *u, rng_key key, json *j, clock_tree *clock, failure *f);
    size_t       (*bytes)(const void *params, const lattice_shape *shape);    /* of device memory that create takes */
} measurement_kind;

struct measurement {
    const measurement_kind *kind;
    void *data;                         /* the kind's own */
};

/* The kinds there are, NULL at the end: the `input` of each, which is where the kind begins. */
extern const param_kind *const measurement_kinds[];
const measurement_kind *measurement_kind_named(const char *name);       /* NULL if there is none */

/* All the measurements of an input: a list of kind_item. */
enum { MEASUREMENTS_MAX = 8 };
const char *measurement_name(const param_list *list, int index);
bool measurement_check(const param_list *list, int index, const lattice_shape *shape, failure *f);
size_t measurements_bytes(const param_list *list, const lattice_shape *shape);

typedef struct measurements measurements;
measurements *measurements_create(const param_list *list, const gauge *u);      /* the list is borrowed */
void measurements_free(measurements *m);

/* Which random numbers the measurements draw: those that belong to a trajectory. */
typedef struct { uint64_t seed; uint32_t stream; int64_t trajectory; } measurement_point;

/* Those that are due after trajectory point->trajectory, or all of them, as members "name": { ... } of the object that
 * is open in `j`.  One that fails says so there ("converged": false, "why") and in the log. */
bool measurements_due(const measurements *m, int64_t trajectory);
void measurements_run(measurements *m, bool all, const gauge *u, const measurement_point *point, json *j,
                      clock_tree *clock);

#endif
