/* wilson_masses.h - common parameters of all measurements of Wilson quarks: the operator, the masses, the solver. */
#ifndef KILN_MEASURE_WILSON_MASSES_H
#define KILN_MEASURE_WILSON_MASSES_H

#include "actions/dwf_params.h"
#include "actions/wilson_params.h"
#include "src/measure/measurement.h"

typedef struct {
    wilson_operator_input of;
    param_list masses;                       /* of structs that begin with a wilson_mass */
    double residual;
    int64_t max_iterations, max_rhs;
    int solver;                              /* solver_precision */
} wilson_quarks;

enum { WILSON_MASSES_MAX = 16 };

/* Rows of a table besides WILSON_OPERATOR_SPECS; at(member): the offset of a member of a wilson_quarks; `least`: a text
 * that is appended to the documentation of max_rhs. */
#define WILSON_SOLVE_SPECS(at, least)                                                                                  \
    { .key = "residual", .type = PARAM_REAL, .offset = at(residual), .fallback = "1e-10", .min = 1e-14, .max = 0.1,    \
      .flags = PARAM_NUMERICAL,                                                                                        \
      .doc = "largest relative residual |r|/|b| of a solve with Mhat^+ Mhat" },                                        \
    { .key = "max_iterations", .type = PARAM_INT, .offset = at(max_iterations), .fallback = "20000", .min = 1,         \
      .max = 10000000, .flags = PARAM_NUMERICAL,                                                                       \
      .doc = "largest number of iterations; if a solve does not converge, the record reports it; the run continues" }, \
    DWF_SOLVER_SPECS(at),                                                                                              \
    { .key = "max_rhs", .type = PARAM_INT, .offset = at(max_rhs), .fallback = "4", .min = 1, .max = BATCH_MAX_RHS,     \
      .flags = PARAM_NUMERICAL,                                                                                        \
      .doc = "largest number of systems solved together in mixed precision; a smaller number needs less memory" least }

/* A row of a table besides WILSON_MASS_SPECS; at(mu): the offset of `mu` of a wilson_mass. */
#define WILSON_MU_SPEC(at)                                                                                             \
    { .key = "mu", .type = PARAM_REAL, .offset = at(mu), .fallback = "0", .min = -100, .max = 100,                     \
      .doc = "twisted mass, M + i mu gamma5" }

/* Keys in which quarks of a measurement may differ from quarks of a monomial (measurement.h). */
#define WILSON_QUARK_KEYS { "c_sw", "clover", "clover_links", "boundary", "theta", "c_F", "xi_0", "nu", "c_s", "c_t", \
                            NULL }

typedef struct { wilson_mass_input bare; double mu; } wilson_mass;

void wilson_mass_to_json(json *j, const wilson_mass *m);                /* members mass, kappa and mu */

/* `mass_size`: of the structs in q->masses. */
const wilson_mass *wilson_mass_at(const wilson_quarks *q, size_t mass_size, int index);

/* The operator with all masses, and the index of each in its list (or NULL); equal masses are one matrix. */
clover_operator_params wilson_quarks_operator(const wilson_quarks *q, size_t mass_size, int index[WILSON_MASSES_MAX]);
bool wilson_quarks_have_theta(const wilson_quarks *q);              /* phases in space, which are not 0 */
/* `anisotropy` of a kind (measurement.h). */
double wilson_quarks_anisotropy(const wilson_quarks *q);
/* The member xi_0 of a result, on anisotropic lattices only: units of masses are then those of a_t (result_unit.h). */
void wilson_quarks_xi_to_json(json *j, const wilson_quarks *q);
#define WILSON_XI_MEMBER                                                                                               \
    MEMBER("xi_0", NULL, NULL, "anisotropic lattices only: the bare anisotropy of the quarks")

solver_precision wilson_quarks_solver(const wilson_quarks *q, const lattice_shape *shape);

/* `compare` of a kind (measurement.h): a warning for each mu that no quark of the action has, or none of this mass. */
void wilson_quarks_compare(const wilson_quarks *q, size_t mass_size, const param_list *monomials, action_listener *emit,
                           void *out);

/* Checks smearing, lattice, and that each mass is given once, by mass or by kappa; a reason begins with `name`. */
bool wilson_quarks_check(const wilson_quarks *q, size_t mass_size, const lattice_shape *shape, const char *name,
                         failure *f);

#endif
