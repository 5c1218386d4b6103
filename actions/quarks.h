/* quarks.h - determinants of quarks as a monomial, for any Dirac operator.  S is a sum over factors (quark_factor.h),
 * which have their own pseudofermions and share links, force and solver, and over determinants of blocks without
 * pseudofermions (block_determinants.h).
 *
 * A family of quarks (staggered, domain-wall, Wilson) is a table of parameters and a function that makes a plan from
 * them. */
#ifndef KILN_ACTIONS_QUARKS_H
#define KILN_ACTIONS_QUARKS_H

#include "actions/block_determinants.h"
#include "actions/factors.h"

enum { QUARK_FACTORS_MAX = 32 };

typedef struct {
    const char *name;                       /* of the monomial */
    dirac_plan d;
    int count;
    quark_factor_plan factor[QUARK_FACTORS_MAX];
    block_list blocks;                      /* of all factors; empty if the operator has only det C */
    int systems;                            /* largest number of systems solved at once */
    int max_iterations;                     /* of a solve */
    residual_norm norm;                     /* of the residuals of all solves */
    solver_precision solver;                /* as in the input, also SOLVER_ADAPTIVE */
    const solver_kind *method;              /* of the solves of two_flavors; NULL: conjugate gradients */
    solver_settings settings;               /* of the method */
    void *own;                              /* memory for d and factors, independent of the parameters */
} quark_plan;

typedef struct {
    /* False with the reason if the parameters do not fit a lattice of this shape; NULL: all do. */
    bool (*check)(const void *params, const lattice_shape *shape, failure *f);
    /* False with the reason if the parameters define no action. */
    bool (*plan)(quark_plan *plan, const void *params, failure *f);
    /* by_role <- the precisions that plan->solver selects on this lattice for the solves of each role. */
    void (*solvers)(solver_precision by_role[ROLES], const quark_plan *plan, const lattice_shape *shape);
    const solver_table *table;              /* for quark_plan_least_iterations; NULL: 0 iterations */
    /* Appends lines about the action besides its factors; or NULL. */
    void (*describe)(text *lines, const void *params);
} quark_family;

/* The plan of these parameters; false with the reason if they define no action.  quark_plan_free frees its memory. */
bool quark_plan_make(quark_plan *plan, const monomial_kind *kind, const void *params, failure *f);
void quark_plan_free(quark_plan *plan);

/* The needs of all factors (members of quark_factor_kind): sums of vectors, slices and pairs; maxima of the others,
 * because factors use these in turns. */
typedef struct { int vectors, slices, scratch, spare, shifts, pairs; } quark_needs;
quark_needs quark_plan_needs(const quark_plan *plan);

/* The largest number of pairs in one call of force_add that share scratch vectors. */
int quark_plan_pairs_together(const quark_plan *plan);

/* `solvers` of families whose operator uses the Wilson hop: the same precisions for all roles, which depend on the
 * tightest residual of all factors and roles, and on whether there are rational functions. */
void quark_plan_hop_solvers(solver_precision by_role[ROLES], const quark_plan *plan, const lattice_shape *shape);

/* For quark_context: solver_least_iterations of the family's table. */
double quark_plan_least_iterations(const quark_plan *plan, const monomial_kind *kind, const lattice_shape *shape);

dirac_solver_spec quark_plan_solver(const quark_plan *plan, const monomial_kind *kind, const lattice_shape *shape);

/* Functions of a monomial_kind whose `family` is a quark_family. */
bool      quarks_check(const monomial_kind *kind, const void *params, const lattice_shape *shape, failure *f);
monomial *quarks_create(const monomial_kind *kind, const void *params, const gauge *u);
void      quarks_free(monomial *m);
bool      quarks_refresh(monomial *m, const gauge *u, rng_key key, monomial_call *c);
bool      quarks_action(double *value, monomial *m, const gauge *u, monomial_call *c);
bool      quarks_add_force(monomial *m, const gauge *u, momentum *p, double weight, sum_cells size, monomial_call *c);
bool      quarks_prepare(monomial *m, const gauge *u, int64_t number, monomial_call *c);
int       quarks_get_memory(const monomial *m, double values[MONOMIAL_MEMORY]);
void      quarks_set_memory(monomial *m, const double *values, int count);
void      quarks_report(monomial *m, json *j);
void      quarks_warn(monomial *m, text *lines);
void      quarks_mixed(monomial *m);
size_t    quarks_pseudofermion_bytes(const monomial_kind *kind, const void *params, const lattice_shape *shape);
field    *quarks_pseudofermion_at(monomial *m, int index, const char **name);
void      quarks_progress(monomial *m, number_row *row);
field    *quarks_start_vector_at(monomial *m, int index);
memory_need quarks_bytes(const monomial_kind *kind, const void *params, const lattice_shape *shape);
size_t    quarks_start_vector_bytes(const monomial_kind *kind, const void *params, const lattice_shape *shape);
work      quarks_force_work(const monomial_kind *kind, const void *params, const lattice_shape *shape);
work      quarks_iteration_work(const monomial_kind *kind, const void *params, const lattice_shape *shape);
void      quarks_energy_errors(energy_errors *e, const monomial_kind *kind, const void *params,
                               const lattice_shape *shape);
void      quarks_describe(text *lines, const monomial_kind *kind, const void *params, const lattice_shape *shape);

#define QUARKS_MONOMIAL                                                                                                \
    .check = quarks_check, .create = quarks_create, .free = quarks_free, .refresh = quarks_refresh,                    \
    .action = quarks_action, .add_force = quarks_add_force, .prepare = quarks_prepare,                                 \
    .get_memory = quarks_get_memory, .set_memory = quarks_set_memory, .report = quarks_report,                         \
    .warn = quarks_warn,                                                                                               \
    .pseudofermion_at = quarks_pseudofermion_at, .mixed = quarks_mixed,                                                \
    .pseudofermion_bytes = quarks_pseudofermion_bytes,                                                                 \
    .progress = quarks_progress, .start_vector_at = quarks_start_vector_at, .bytes = quarks_bytes,                     \
    .start_vector_bytes = quarks_start_vector_bytes, .force_work = quarks_force_work,                                  \
    .iteration_work = quarks_iteration_work, .energy_errors = quarks_energy_errors, .describe = quarks_describe

#endif
