/* quark_factor.h - one factor of a determinant of quarks: a kind is a constant table of functions.
 *
 *     two_flavors     det [C(m)^+C(m)] / det [C(M)^+C(M)], or the numerator alone              two_flavors.c
 *     rational_ratio  one flavor, the square root of either, by RHMC                          rational_ratio.c
 *     rational        many fields, each with a rational function of its C^+C, by RHMC          rational_fields.c
 *     exact           domain-wall quarks: one flavor, det D5(m) / det D5(M)                   exact_one_flavor.c
 *
 * The denominator has a larger mass M, or the same mass and a larger |mu| or rho (dirac_twist).  Factors use their
 * Dirac operator through operators/dirac_operator.h; they refer to a C by its index in the list of the operator's plan.
 * two_flavors and rational_ratio serve all operators whose C depends on the mass (domain-wall, Wilson); rational serves
 * any operator, also staggered quarks, whose mass is in the rational functions; exact serves domain-wall quarks. */
#ifndef KILN_ACTIONS_QUARK_FACTOR_H
#define KILN_ACTIONS_QUARK_FACTOR_H

#include "actions/monomial.h"
#include "actions/solve_report.h"
#include "src/solvers/dirac_solver.h"

typedef struct quark_factor quark_factor;
typedef struct quark_factor_kind quark_factor_kind;

/* The plan of a factor; a determinant becomes a list of these. */
typedef struct {
    const quark_factor_kind *kind;
    int light, heavy;                       /* indices of C(m), C(M) in the list of the operator */
    bool alone;                             /* two_flavors, rational_ratio: no denominator */
    bool one_derivative;                    /* two_flavors: C(m) and C(M) differ only in rho, so dC(m) = dC(M) */
    int fields;                             /* rational_ratio: n fields, each for the n-th root */
    role_values residual;                   /* of the solves */
    role_values error;                      /* of rational functions */
    double smallest, largest;               /* rational_ratio, exact: range of the functions */
    struct { bool smallest, largest; } given;   /* both or neither; neither: the range is measured */
    int chronological;                      /* two_flavors: solutions of the force kept for start vectors */
    uint32_t first_draw;                    /* of its random numbers; a factor may use QUARK_FACTOR_DRAWS draws */
    const void *more;                       /* specific to the kind, borrowed; or NULL */
} quark_factor_plan;
#define QUARK_FACTOR_DRAWS ((uint32_t)1 << 16)

/* Largest number of equal fields into which a determinant of one flavor is split. */
enum { QUARK_ROOTS_MAX = 8 };

/* What all factors of a monomial use. */
typedef struct {
    const dirac_plan *plan;                 /* of the operator */
    dirac_operator *d;                      /* its force is begun and not finished while add_force is called */
    dirac_solver *solver;
    solver_precision precision[ROLES];
    double least_iterations;                /* after a refresh with fewer, action and force use double */
    int max_iterations;
    residual_norm norm;
    bool mixed;                             /* SMD has mixed new pseudofermions with the previous ones */
} quark_context;

/* The largest number of values in the memory of a factor (monomial.h). */
enum { QUARK_FACTOR_MEMORY = 2 };

/* The work of an iteration: applications of C^+C; number of vectors read plus number written. */
typedef struct { double applications, vectors; } quark_iteration;

struct quark_factor_kind {
    const char *name;                       /* of input: "two_flavors", "rational", "exact" */
    int flavors;                            /* of numerator and denominator; 0: in the rational functions */
    bool  (*check)(const quark_factor_plan *p, const dirac_plan *d, failure *f);  /* false with the reason; or NULL */
    void *(*create)(const quark_factor_plan *p, const quark_context *q);             /* its own data */
    void  (*free)(void *data);
    /* As in monomial.h; the operator has the current links.  add_force adds to the force of the operator. */
    bool  (*prepare)(quark_factor *x, const quark_context *q, int64_t number, monomial_call *c);      /* or NULL */
    bool  (*refresh)(quark_factor *x, const quark_context *q, rng_key key, monomial_call *c);
    bool  (*action)(double *value, quark_factor *x, const quark_context *q, monomial_call *c);
    bool  (*add_force)(quark_factor *x, const quark_context *q, monomial_call *c);
    vec  *(*field)(void *data, int index);  /* its pseudofermions; NULL after the last */
    int   (*fields)(const quark_factor_plan *p);            /* their number; NULL: one for each entry */
    bool  thin;                             /* pseudofermions have one slice of the fifth dimension */
    /* As in monomial.h; or both NULL.  set_memory gets the remaining numbers of the monomial, and returns the number of
     * those that it used. */
    int   (*get_memory)(const void *data, double values[QUARK_FACTOR_MEMORY]);
    int   (*set_memory)(void *data, const double *values, int count);
    /* The record has one or more entries for a factor, each with its own solves.  entries: their number (NULL: one);
     * describe, describe_functions: text for the user; report: members besides the solves (NULL: none); report_more:
     * members of the whole monomial (NULL: none). */
    int   (*entries)(const quark_factor_plan *p);
    void  (*describe)(text *out, const quark_factor_plan *p, const dirac_plan *d, int entry);
    void  (*describe_functions)(text *out, const quark_factor_plan *p, int entry);            /* or NULL */
    void  (*report)(const void *data, int entry, json *j);
    void  (*report_more)(void *data, json *j);
    void  (*progress)(void *data, number_row *row);                     /* as in monomial.h, without the solves */
    vec  *(*start_vector_at)(void *data, int index);                    /* as in monomial.h, of solves only; or NULL */
    int   (*start_vectors_most)(const quark_factor_plan *p);            /* the largest number of these; or NULL */
    /* For plans of memory and work; a NULL function means 0. */
    int   (*vectors)(const quark_factor_plan *p);           /* that it creates, in double on one parity */
    int   (*slices)(const quark_factor_plan *p);            /* single slices of vectors that it creates */
    int   (*scratch)(const quark_factor_plan *p);           /* scratch vectors that it borrows from the solver */
    int   (*spare)(const quark_factor_plan *p);             /* spare vectors that it borrows from the solver */
    int   (*shifts)(const quark_factor_plan *p);            /* shifts of its largest multi-shift solve */
    int   (*pairs)(const quark_factor_plan *p);             /* pairs in its force (force_add) */
    quark_iteration (*iteration)(const quark_factor_plan *p);         /* one iteration of each solve of a force */
    void  (*energy_errors)(energy_errors *e, const quark_factor_plan *p, const dirac_plan *d,
                           const lattice_shape *shape);
};

struct quark_factor {
    const quark_factor_kind *kind;
    quark_factor_plan plan;
    int index;                              /* in its monomial: for messages */
    void *data;
    int entries;
    solve_facts (*of)[ROLES];               /* [entries][ROLES], since the last report */
    mixed_record mixed[ROLES];
};

/* Call it before a refresh: discards the solves of earlier refreshes, so that quark_goal depends only on this one. */
void quark_forget_refresh(quark_factor *x);

/* The goal of a solve for a role, from the plan.  Precision: that of the role; for action and force double if the last
 * refresh took fewer than least_iterations.  Shifts in double: the force tests iterated residuals, not true ones. */
dirac_goal quark_goal(const quark_factor *x, const quark_context *q, int role);

/* Count a solve; false, with the reason in c->failure, if it did not converge. */
bool quark_solve_ended(quark_factor *x, const quark_context *q, int role, const char *of, const dirac_solved *s,
                       monomial_call *c);

/* |eta|^2 of a refresh.  The first action after it, at the same links, must be equal to it; the check is omitted if SMD
 * has mixed the fields, or if the refresh was `unchecked` (monomial_call). */
typedef struct {
    double eta_norm2;
    double apart;                           /* S / |eta|^2 - 1, found by the check */
    uint64_t version;                       /* of the links; 0: nothing to compare */
} quark_start;
void quark_start_drawn(quark_start *s, double eta_norm2, const quark_context *q, monomial_call *c);
/* False, with the reason and `advice` in c->failure, if S differs from |eta|^2 by more than errors of the functions and
 * residuals explain. */
bool quark_start_action(quark_start *s, double action, const quark_factor *x, const quark_context *q,
                        const char *advice, monomial_call *c);
void quark_start_report(const quark_start *s, json *j);
void quark_start_row(quark_start *s, number_row *row);

/* For describe: "(0.01)^2 (0.1)^-2", the matrices and the powers of their determinants. */
void quark_describe_ratio(text *out, const quark_factor_plan *p, const dirac_plan *d);

/* freedom: N of energy_error.h, the number of complex numbers of a vector on one parity of the whole lattice, and
 * <|eta|^2>.  gain: g of energy_error.h, for the inverse of C^+C with eigenvalues in this range. */
double quark_freedom(const dirac_plan *d, const lattice_shape *shape);
double quark_gain(spectral_range range);

#endif
