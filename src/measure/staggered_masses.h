/* staggered_masses.h - the quarks of a measurement of staggered quarks: links and masses in its input.
 *
 * Masses with the same Naik epsilon share a set of links. */
#ifndef KILN_MEASURE_STAGGERED_MASSES_H
#define KILN_MEASURE_STAGGERED_MASSES_H

#include "actions/staggered_action.h"
#include "src/measure/action_quarks.h"
#include "src/measure/quark_trace.h"
#include "src/operators/stout.h"

typedef struct { double mass; char *naik_epsilon; } staggered_mass;

typedef struct {
    staggered_action_input of;
    param_list masses;                      /* of staggered_mass; at most TRACE_MASSES */
} staggered_quarks;

extern const param_spec staggered_mass_specs[];

/* Rows of a table; at(member): the offset of a member of a staggered_quarks; page: where the documents explain it. */
#define STAGGERED_MASSES_SPEC(at, page)                                                                                \
    { .key = "masses", .type = PARAM_LIST, .offset = at(masses), .flags = PARAM_NOT_EMPTY,                             \
      .group = staggered_mass_specs, .element_size = sizeof(staggered_mass), .doc = "masses of the quarks",            \
      .example = "[ { mass: 0.013 }, { mass: 0.838, naik_epsilon: auto } ]", .see = page }
#define STAGGERED_SOLVE_SPECS(at, largest)                                                                             \
    { .key = "residual", .type = PARAM_REAL, .offset = at(residual), .fallback = largest, .min = 1e-14, .max = 0.1,    \
      .flags = PARAM_NUMERICAL,                                                                                        \
      .doc = "largest relative residual |r|/|b| of a solve" },                                                         \
    { .key = "max_iterations", .type = PARAM_INT, .offset = at(max_iterations), .fallback = "20000", .min = 1,         \
      .max = 10000000, .flags = PARAM_NUMERICAL,                                                                       \
      .doc = "largest number of iterations of a solve; if a solve does not converge within it, the record reports "    \
             "this and the run continues" }

/* Keys in which quarks of a monomial may differ from quarks of a measurement (quark_keys of measurement.h). */
#define STAGGERED_QUARK_KEYS { "action", "projection", "u0", "boundary", "imaginary_mu", NULL }

double staggered_mass_at(const staggered_quarks *q, int index);

/* The largest number of masses that share links. */
int staggered_masses_at_once(const staggered_quarks *q);

/* The links of all masses.  staggered_measured_update smears links; staggered_measured_terms: of a set. */
typedef struct {
    staggered_operator_params op;
    int set[TRACE_MASSES];                  /* of each mass */
    stout *stout;                           /* NULL: none */
    staggered_links *links;
} staggered_measured;
staggered_measured staggered_measured_create(const staggered_quarks *q, const gauge *u);      /* q is borrowed */
void staggered_measured_free(staggered_measured *m);
memory_need staggered_measured_bytes(const staggered_quarks *q, const lattice_shape *shape);
void staggered_measured_update(staggered_measured *m, const gauge *u);
staggered_terms staggered_measured_terms(const staggered_measured *m, int set);

/* `compare` of a kind (measurement.h): warns of each Naik epsilon that no quark of this mass in the action has; with
 * all_masses, also of each mass that the action does not have. */
void staggered_quarks_compare(const staggered_quarks *q, bool all_masses, const param_list *monomials,
                              action_listener *emit, void *out);

/* False with the reason, which names the measurement. */
bool staggered_quarks_check(const staggered_quarks *q, const char *name, failure *f);

#endif
