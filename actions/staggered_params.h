/* staggered_params.h - the input of staggered quarks, and the pseudofermions of their determinants.
 *
 * A determinant is prod_j det(K + 4 m_j^2)^(n_j/4) over even sites for quarks of masses m_j and n_j flavors (rooting:
 * a staggered field has four tastes).  Intermediate masses M_1, M_2, ... (M. Hasenbusch, hep-lat/0107019) split it into
 * the factors
 *     prod_j m_j^(n_j) / M_1^N,   M_1^N / M_2^N,   ...,   M_last^N,      N = sum of the n_j,
 * where a mass stands for det(K + 4 mass^2)^(1/4).  Each factor has its own pseudofermion, or n equal ones, for the
 * n-th root (M. A. Clark and A. D. Kennedy, hep-lat/0608015). */
#ifndef KILN_ACTIONS_STAGGERED_PARAMS_H
#define KILN_ACTIONS_STAGGERED_PARAMS_H

#include "actions/qcdml_term.h"
#include "actions/rational_fields.h"
#include "actions/staggered_action.h"

/* Limits of determinants, in the input and in the options of kiln rational. */
enum { STAGGERED_FLAVORS_MAX = 64, STAGGERED_FIELDS_MAX = 16 };

typedef struct { double mass; int64_t flavors; } quark_params;      /* negative flavors: in the denominator */
typedef struct { double mass; int64_t fields; own_role_values residual; } hasenbusch_params;

typedef struct {
    param_list quarks;                                      /* of quark_params */
    param_list hasenbusch;                                  /* of hasenbusch_params */
    int64_t fields;                                         /* of the first factor */
    char *naik_epsilon;                                     /* "auto" or a number */
    own_role_values residual;                               /* of its fields; not given: those of the monomial */
} determinant_params;

typedef struct {
    char *name;
    staggered_action_input of;
    param_list determinants;                                /* of determinant_params */
    role_values residual;
    int64_t residual_norm;                                  /* a residual_norm */
    int64_t max_iterations;
    int solver;                                             /* solver_precision */
    int64_t max_rhs;
    role_values error;                                      /* of the rational functions */
    char *rational_file;                                    /* "": Kiln computes the functions */
    double largest_eigenvalue;                              /* of K; measured if not given */
    bool largest_eigenvalue_given;
    int64_t measure_every;
    int force_precision;
    double force_filter;
} staggered_params;

extern const param_spec staggered_specs[];
extern const qcdml_term staggered_qcdml;

/* One pseudofermion field. */
typedef struct {
    int count;                                              /* masses */
    mass_flavors quark[RATIONAL_FACTORS];
    int roots;                                              /* n: one of n equal fields, each for the n-th root */
    int set;                                                /* of links: index of the Naik epsilon */
    role_values residual;
} pseudofermion_plan;

typedef struct {
    int count;
    pseudofermion_plan field[PSEUDOFERMIONS_MAX];
    staggered_operator_params op;                           /* for the force, too; its list has the Naik epsilons */
} staggered_plan;

/* False with the reason if the parameters define no action. */
bool staggered_plan_make(staggered_plan *plan, const staggered_params *p, failure *f);

/* Appends "(0.01)^2 (0.05)^1 (0.2)^-3, root 3, epsilon -0.17" for a field: masses and flavors, n, Naik epsilon. */
void pseudofermion_describe(text *out, const staggered_plan *plan, int index);

#endif
