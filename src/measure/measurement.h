/* measurement.h - measurements of a run after its trajectories: a kind is a constant table of functions.
 *
 * After every trajectory whose number is a multiple of `every`, a measurement works on the links after the Metropolis
 * step, and writes its results as members of a JSON object.  It does not change the links.  A new kind is a file and a
 * line in measurements.c. */
#ifndef KILN_MEASURE_MEASUREMENT_H
#define KILN_MEASURE_MEASUREMENT_H

#include "src/base/clock.h"
#include "src/config/schema.h"
#include "src/gauge/gauge.h"
#include "src/measure/action_quarks.h"
#include "src/measure/result_member.h"

typedef struct measurement measurement;

/* The first members of the parameters of every kind, and the first two rows of its table. */
typedef struct { char *name; int64_t every; } measurement_params;
#define MEASUREMENT_SPECS(default_name)                                                                                \
    { .key = "name", .type = PARAM_TEXT, .offset = offsetof(measurement_params, name), .fallback = default_name,       \
      .flags = PARAM_NOT_EMPTY,                                                                                        \
      .doc = "name of the results of this measurement in the record; it selects the random numbers" },                 \
    { .key = "every", .type = PARAM_INT, .offset = offsetof(measurement_params, every), .fallback = "1", .min = 1,     \
      .max = 4294967295.0, .doc = "number of trajectories between two measurements" }

typedef struct {
    param_kind input;                   /* name and parameters */
    bool        deterministic;          /* its results do not depend on the random numbers of `run` */
    bool        open_in_time;           /* works also with open boundaries in t (lattice/shape.h) */
    /* Whether it works on anisotropic lattices; false with the reason.  NULL: it does not. */
    bool       (*takes_anisotropy)(const void *params, failure *f);
    /* The anisotropy a_s/a_t of the lattice in the input, 1 if it gives none; NULL: the kind has no such key. */
    double     (*lattice_anisotropy)(const void *params);
    /* The bare anisotropy of its quarks, which must be that of the action; NULL: the kind has no such quarks. */
    double     (*anisotropy)(const void *params);
    int         hops;                   /* largest distance in one direction that its kernels read, if more than 2 */
    const char *quarks;                 /* name of the kind of monomials that have its quarks; NULL: its own name */
    const char *const *quark_keys;      /* numbers and words that describe these quarks, keys also of that monomial;
                                         * ends with NULL.  NULL: none */
    /* Reports differences from the quarks of these monomials besides `quark_keys`; NULL: there are none. */
    void         (*compare)(const void *params, const param_list *monomials, action_listener *emit, void *out);
    const result_group *results;        /* all that `run` writes; ends with { 0 } */
    /* Checks beyond the table. */
    bool         (*check)(const void *params, const lattice_shape *shape, failure *f);
    /* Append a line for each value that is allowed but probably a mistake, as "measurements.0.t_max: ..." where the key
     * of the measurement is `key`; NULL: there are none. */
    void         (*advise)(text *lines, const char *key, const void *params, const lattice_shape *shape);
    /* For one measurement of links like `u`: its fields are in the workspace (lattice/workspace.h).  params are
     * borrowed. */
    measurement *(*create)(const void *params, const gauge *u);
    void         (*free)(measurement *m);
    /* Write results into the open object of `j`, and times of parts under the open timer.  Random numbers come from
     * `key`.  False with the reason if the measurement fails. */
    bool         (*run)(measurement *m, const gauge *u, rng_key key, json *j, clock_tree *clock, failure *f);
    memory_need  (*bytes)(const void *params, const lattice_shape *shape);    /* device memory of create */
    const char  *(*saves)(const void *params);      /* its `propagators.save`; empty: none.  NULL: the kind has none */

    /* For kinds that measure with the action, a list of kind_item; NULL in other kinds.
     * takes_action    false with the reason if the kind cannot measure with this action on this lattice
     * set_action      called after create; the list is borrowed
     * action_bytes    the memory of `run`, whose fields are not in the workspace; called instead of `bytes` */
    bool         (*takes_action)(const void *params, const param_list *monomials, const lattice_shape *shape,
                                 failure *f);
    void         (*set_action)(measurement *m, const param_list *monomials);
    memory_need  (*action_bytes)(const param_list *monomials, const lattice_shape *shape);
} measurement_kind;

struct measurement {
    const measurement_kind *kind;
    void *data;                         /* of the kind */
};

/* All kinds, NULL at the end: pointers to the `input` of each, which is its first member. */
extern const param_kind *const measurement_kinds[];
const measurement_kind *measurement_kind_named(const char *name);       /* NULL if there is none */

/* takes_anisotropy of kinds that measure loops of links as they are. */
bool measurement_of_loops(const void *params, failure *f);

/* All the measurements of an input: a list of kind_item. */
enum { MEASUREMENTS_MAX = 32 };
const char *measurement_name(const param_list *list, int index);
bool measurement_is_deterministic(const param_list *list, int index);
/* A line for each parameter, "t_max: 1" or "masses.0.mass: 0.1", with kind and `every`, without the name. */
void measurement_list_parameters(text *out, const param_list *list, int index);
/* Calls `compare` of the kind, if it has one. */
void measurement_compare(const param_list *list, int index, const param_list *monomials, action_listener *emit,
                         void *out);
bool measurement_check(const param_list *list, int index, const lattice_shape *shape, failure *f);
/* Calls `advise` of the kind, if it has one; the key is "measurements.N". */
void measurement_advise(text *lines, const param_list *list, int index, const lattice_shape *shape);
/* False with the reason if the measurement cannot be made with an action of the bare anisotropy xi. */
bool measurement_takes_anisotropy(const param_list *list, int index, double xi, failure *f);
/* False with the reason if the measurement cannot be made with this action, a list of kind_item. */
bool measurement_takes_action(const param_list *list, int index, const param_list *monomials,
                              const lattice_shape *shape, failure *f);
/* The anisotropy a_s/a_t that the measurement of this name gives; 1 if it gives none, or is not in the list. */
double measurements_anisotropy_of(const param_list *list, const char *name);
/* The measurements of an input, and its action (lists of kind_item), which some kinds of measurements use. */
typedef struct { const param_list *list, *monomials; } measurement_input;
/* Identifies the settings of a measurement: digest64 of its kind and of the parameters that define its numbers, which
 * are all except `name`, `every`, and parameters that are PARAM_NUMERICAL or PARAM_FREE_TO_CHANGE; of a kind with
 * `set_action` also the same of the monomials.  Results with different settings are different quantities and must not
 * be averaged. */
uint64_t measurement_settings(measurement_input in, int index);
/* Identifies what a measurement computes and writes: digest64 of its name, kind and parameters except `every`, and of
 * the action with `set_action`. */
uint64_t measurement_digest(measurement_input in, int index);
/* Append all that both depend on and more: kind and parameters with defaults filled in as YAML, without `name` and
 * `every`; with `set_action` also the list `monomials`, as in an input. */
void measurement_add_text(text *out, measurement_input in, int index);
/* How far its kernels reach: `hops` of the kind, and those of the monomials if it measures with the action. */
int measurement_hops(measurement_input in, int index);
/* The memory of a measurement, whose fields are `shared` but for kinds with `set_action`; and the largest need of all
 * measurements. */
memory_need measurement_need(measurement_input in, int index, const lattice_shape *shape);
memory_need measurements_bytes(measurement_input in, const lattice_shape *shape);

typedef struct measurements measurements;
/* The lists are borrowed; a user of the workspace at the place of u. */
measurements *measurements_create(measurement_input in, const gauge *u);
void measurements_free(measurements *m);

/* The random numbers of the measurements after a trajectory. */
typedef struct { uint64_t seed; uint32_t stream; int64_t trajectory; } measurement_point;
/* The random numbers of one measurement depend on its name, not on its place in the list or on other measurements. */
rng_key measurement_key(const measurement_point *point, const char *name);

/* Make one measurement; `result` is empty before, and its object after.  A failed one is reported there ("converged":
 * false, "why") and in the log: then false. */
bool measurements_run_one(measurements *m, int index, const gauge *u, const measurement_point *point, json *result,
                          clock_tree *clock);

/* Make the measurements that are due after trajectory point->trajectory, or all, as members "name": { ... } of the open
 * object of `j`. */
bool measurements_due(const measurements *m, int64_t trajectory);
void measurements_run(measurements *m, bool all, const gauge *u, const measurement_point *point, json *j,
                      clock_tree *clock);

#endif
