/* wilson_operator.h - the operator of Wilson quarks and their masses in the input: one declaration for monomials,
 * measurements and kiln probe. */
#ifndef KILN_ACTIONS_WILSON_OPERATOR_H
#define KILN_ACTIONS_WILSON_OPERATOR_H

#include "actions/stout_params.h"
#include "src/operators/clover_operator.h"

/* With stout smearing: the links of the clover term are the smeared ones, as in the hops, or the thin ones. */
typedef enum { CLOVER_SMEARED_LINKS, CLOVER_THIN_LINKS } clover_links_choice;
extern const char *const clover_links_names[];              /* "smeared", "thin" */

typedef struct {
    double c_sw;                                            /* 0: no clover term */
    int clover;                                             /* clover_kind */
    stout_params stout;
    int clover_links;                                       /* clover_links_choice */
    int64_t boundary;                                       /* 1 antiperiodic, 0 periodic */
    double theta[3];                                        /* phases of the boundary in space, in units of pi */
    int even_odd;                                           /* clover_form */
    double c_F;                                             /* open boundaries in t only; not given: 1 */
    double xi_0, nu, c_s, c_t;                              /* anisotropic lattices only; nu not given: 1 */
    struct { bool c_F, xi_0, nu, c_s, c_t; } given;         /* c_s and c_t: both or none, and then c_sw is 0 */
} wilson_operator_input;

/* theta = 2 is the phase 2 pi, the same as theta = 0. */
enum { WILSON_THETA_MAX = 2 };

/* Rows of a table; at(member): the offset of a member of a wilson_operator_input.  TERM, BOUNDARY and THETA are parts
 * of WILSON_OPERATOR_SPECS. */
#define WILSON_TERM_SPECS(at)                                                                                          \
    { .key = "c_sw", .type = PARAM_REAL, .offset = at(c_sw), .fallback = "0", .min = 0, .max = 100,                    \
      .doc = "coefficient of the clover term; 1 at tree level; 0: Wilson quarks without this term" },                  \
    { .key = "clover", .type = PARAM_CHOICE, .offset = at(clover), .fallback = "linear", .choices = clover_kind_names, \
      .doc = "form of the clover term: 4 + m + c_sw A, or (4 + m) exp(c_sw A / (4 + m))" },                            \
    STOUT_SPEC(at)
#define WILSON_BOUNDARY_SPEC(at)                                                                                       \
    { .key = "boundary", .type = PARAM_INT, .offset = at(boundary), .fallback = "1", .min = 0, .max = 1,               \
      .doc = "phase of the boundary in t, in units of pi: 1 antiperiodic, 0 periodic" }
#define WILSON_THETA_SPEC(at)                                                                                          \
    { .key = "theta", .type = PARAM_REAL3, .offset = at(theta), .fallback = "[0, 0, 0]",                               \
      .min = -WILSON_THETA_MAX, .max = WILSON_THETA_MAX,                                                               \
      .doc = "phases of the boundary in x, y and z, in units of pi: psi(x + L_k e_k) = exp(i pi theta_k) psi(x)" }
#define WILSON_OPERATOR_SPECS(at)                                                                                      \
    WILSON_TERM_SPECS(at),                                                                                             \
    { .key = "clover_links", .type = PARAM_CHOICE, .offset = at(clover_links), .fallback = "smeared",                  \
      .choices = clover_links_names,                                                                                   \
      .doc = "links of the clover term where there is `stout`: smeared, as in the hops; thin, without smearing, as in "\
             "the SLiNC action", .see = "wilson.md#clover-term-on-thin-links" },                                       \
    WILSON_BOUNDARY_SPEC(at),                                                                                          \
    WILSON_THETA_SPEC(at)

/* A row beside these, where Mhat may have either form. */
#define WILSON_EVEN_ODD_SPEC(at)                                                                                       \
    { .key = "even_odd", .type = PARAM_CHOICE, .offset = at(even_odd), .fallback = "asymmetric",                       \
      .choices = clover_form_names, .flags = PARAM_NUMERICAL,                                                          \
      .doc = "form of Mhat with a clover term or a twisted mass: T_o - hop_oe T_e^-1 hop_eo, or divided by T_o, "      \
             "1 - T_o^-1 hop_oe T_e^-1 hop_eo. The weight is the same, solves and forces differ",                      \
      .see = "wilson.md#symmetric-even-odd-form" }

/* A further row, where lattices with open boundaries in t are possible. */
#define WILSON_OPEN_SPEC(at)                                                                                           \
    { .key = "c_F", .type = PARAM_REAL, .offset = at(c_F), .given = at(given.c_F), .min = -100, .max = 100,            \
      .flags = PARAM_OPTIONAL,                                                                                         \
      .doc = "open boundaries in t: boundary improvement coefficient; adds c_F - 1 to the diagonal of M in the second "\
             "and the last but one time slice; default 1, the tree-level value",                                       \
      .see = "wilson.md#open-boundaries-in-time" }

/* Rows beside these, where anisotropic lattices are possible. */
enum { WILSON_XI_MAX = 100 };
#define WILSON_ANISOTROPY_SPECS(at)                                                                                    \
    { .key = "xi_0", .type = PARAM_REAL, .offset = at(xi_0), .given = at(given.xi_0), .min = 0,                        \
      .max = WILSON_XI_MAX,                                                                                            \
      .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN,                                                                       \
      .doc = "anisotropic lattices: bare anisotropy, that of the gauge action; hops in space have the factor "         \
             "nu/xi_0",                                                                                                \
      .see = "anisotropy.md#wilson-quarks" },                                                                          \
    { .key = "nu", .type = PARAM_REAL, .offset = at(nu), .given = at(given.nu), .min = 0, .max = WILSON_XI_MAX,        \
      .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN,                                                                       \
      .doc = "anisotropic lattices: coefficient of the spatial part of M, tuned to the relativistic dispersion "       \
             "relation of mesons; without it 1" },                                                                     \
    { .key = "c_s", .type = PARAM_REAL, .offset = at(c_s), .given = at(given.c_s), .min = 0, .max = 100,               \
      .flags = PARAM_OPTIONAL,                                                                                         \
      .doc = "anisotropic lattices: coefficient of the clover term in planes of space, c_s/xi_0 A_s; with `c_t`, in "  \
             "place of `c_sw`",                                                                                        \
      .see = "anisotropy.md#clover-term" },                                                                            \
    { .key = "c_t", .type = PARAM_REAL, .offset = at(c_t), .given = at(given.c_t), .min = 0, .max = 100,               \
      .flags = PARAM_OPTIONAL,                                                                                         \
      .doc = "anisotropic lattices: coefficient of the clover term in planes with t, c_t A_t" }

/* The bare anisotropy and nu, 1 if they are not given. */
double wilson_operator_xi(const wilson_operator_input *in);
double wilson_operator_nu(const wilson_operator_input *in);

/* Whether there is a clover term. */
bool wilson_has_clover(const wilson_operator_input *in);

/* False with the reason if the diagonal of M, m + 1 + 3 nu/xi_0, is not above 0. */
bool wilson_diagonal_check(const wilson_operator_input *in, double mass, failure *f);

/* wilson_operator_of: the parameters of the operator, with an empty list of matrices.  wilson_operator_plan: its plan,
 * with the smearing; borrows op. */
clover_operator_params wilson_operator_of(const wilson_operator_input *in);
dirac_plan wilson_operator_plan(const clover_operator_params *op, const wilson_operator_input *in);

/* False with the reason if keys contradict each other. */
bool wilson_operator_check(const wilson_operator_input *in, failure *f);

/* False with the reason if the keys do not fit this lattice: c_F is for open boundaries in t only, with the exponential
 * clover term only as 1; and open boundaries need 4 time slices or more. */
bool wilson_boundary_check(const wilson_operator_input *in, const lattice_shape *shape, failure *f);

/* Whether both are the same operator M, of any form of Mhat. */
bool wilson_operator_same(const wilson_operator_input *a, const wilson_operator_input *b);

/* A bare mass, given by itself or by kappa.  Masses may have any sign, and 0 is a valid mass.  Masses must be above -4,
 * which is kappa = infinity. */
typedef struct { double mass, kappa; struct { bool mass, kappa; } given; } wilson_mass_input;
enum { WILSON_MASS_MIN = -4, WILSON_MASS_MAX = 100 };
#define WILSON_KAPPA_MAX 10

/* Rows of a table; at(member): the offset of a member of a wilson_mass_input. */
#define WILSON_MASS_SPECS(at)                                                                                          \
    { .key = "mass", .type = PARAM_REAL, .offset = at(mass), .given = at(given.mass), .min = WILSON_MASS_MIN,          \
      .max = WILSON_MASS_MAX, .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN, .formerly = "-4",                             \
      .doc = "bare mass m = 1 / (2 kappa) - 4; without it `kappa` gives it" },                                         \
    { .key = "kappa", .type = PARAM_REAL, .offset = at(kappa), .given = at(given.kappa), .min = 0,                     \
      .max = WILSON_KAPPA_MAX, .flags = PARAM_OPTIONAL | PARAM_ABOVE_MIN, .formerly = "0",                             \
      .doc = "hopping parameter, in place of `mass`" }

double wilson_kappa(double mass);                           /* 1 / (2 (4 + m)) */
double wilson_mass_of_kappa(double kappa);
double wilson_bare_mass(const wilson_mass_input *m);
bool wilson_mass_is_given_once(const wilson_mass_input *m);
/* Adds a line about the mass `key` of a monomial if it is probably a mistake. */
void wilson_advise_mass(text *lines, const char *monomial, const char *key, double mass);

#endif
