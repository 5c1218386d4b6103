/* wall_factor.h - one factor of a determinant of domain-wall quarks: a kind is a constant table of functions.
 *
 *     two_flavors  det [C(m)^+C(m)] / det [C(M)^+C(M)],  S = phi^+ V (C^+C)^-1 V^+ phi, V = C(M)     (wall_ratio.c)
 *     rational     one flavour, det [C(m)^+C(m)]^(1/2) / det [C(M)^+C(M)]^(1/2), by RHMC         (wall_rational.c)
 *     exact        one flavour, det D5(m) / det D5(M), the exact one-flavour action                  (wall_exact.c)
 *
 * m < M; M = 1 is the Pauli-Villars field.  Adding a kind touches its own file and one line of wall_quarks.c. */
#ifndef KILN_ACTIONS_WALL_FACTOR_H
#define KILN_ACTIONS_WALL_FACTOR_H

#include "actions/solve_report.h"
#include "actions/wall_solver.h"
#include "src/operators/domain_wall_force.h"

/* Equal fields that a determinant of one flavour is split into, at most. */
enum { WALL_FIELDS_MAX = 8 };

/* What a determinant becomes: a list of these. */
typedef struct {
    int kind;                               /* index into wall_factor_kinds */
    double mass, heavy;                     /* m, M */
    int fields;                             /* rational: n-th roots */
    role_values residual;                   /* of the solves */
    role_values error;                      /* of rational functions */
    double smallest, largest;               /* rational, exact: range of the functions; 0: measured */
    int chronological;                      /* two_flavors: solutions of the force kept for start vectors */
    uint32_t first_draw;                    /* of its random numbers; each factor has WALL_DRAWS of them */
} wall_factor_plan;
#define WALL_DRAWS ((uint32_t)1 << 16)

/* What factors share. */
typedef struct {
    wall_weights weights;
    wall_solver *solver;
    wall_force *force;                      /* begun and not finished while add_force is called */
    int max_iterations;
} wall_shop;

typedef struct wall_factor wall_factor;
typedef struct {
    const char *name;                       /* of input: "two_flavors", "rational", "exact" */
    bool  (*check)(const wall_factor_plan *p, const wall_weights *w, failure *f);       /* whether there is such */
    void *(*create)(const wall_factor_plan *p, const wall_shop *shop, const gauge *u);  /* its own data */
    void  (*free)(void *data);
    /* As those of a monomial (monomial.h); the solver's links are those of u.  add_force adds to shop->force. */
    bool  (*prepare)(wall_factor *x, const wall_shop *shop, int64_t number, monomial_call *c);        /* or NULL */
    bool  (*refresh)(wall_factor *x, const wall_shop *shop, rng_key key, monomial_call *c);
    bool  (*action)(double *value, wall_factor *x, const wall_shop *shop, monomial_call *c);
    bool  (*add_force)(wall_factor *x, const wall_shop *shop, monomial_call *c);
    vec  *(*field)(void *data, int index);  /* its pseudofermions: NULL past the last */
    int   (*recall)(const void *data, double values[2]);                /* or NULL; as a monomial's */
    void  (*remember)(void *data, const double *values, int count);
    void  (*report)(const void *data, json *j);                         /* or NULL: members beyond the solves */
    void  (*progress)(void *data, number_row *row);                     /* a monomial's, beyond the solves */
    vec  *(*kept)(void *data, int index);                               /* or NULL; a monomial's kept_at */
    /* For plans of memory and work, NULL: none.  Double vectors on one parity that it makes; such vectors that it
     * borrows from the solver; systems of its largest solve with many shifts; terms of its force (wall_force_add). */
    int   (*vectors)(const wall_factor_plan *p);
    int   (*scratch)(const wall_factor_plan *p);
    int   (*shifts)(const wall_factor_plan *p);
    int   (*terms)(const wall_factor_plan *p);
} wall_factor_kind;
extern const wall_factor_kind wall_ratio_factor, wall_rational_factor, wall_exact_factor;

struct wall_factor {
    const wall_factor_kind *kind;
    wall_factor_plan plan;
    int index;                              /* in its monomial: for messages */
    void *data;
    solve_facts of[ROLES];                  /* since the last report */
    mixed_record mixed[ROLES];
};

/* After a solve: counts it, and where it did not converge says so in c->trouble and returns false. */
bool wall_solve_ended(wall_factor *x, const wall_shop *shop, int role, const char *of, const wall_solved *s,
                      monomial_call *c);

/* S = |eta|^2 for the links that the heat bath saw: held against the first action after it. */
typedef struct { double eta_norm2, apart; uint64_t version; } wall_start;          /* version 0: nothing to compare */
void wall_start_drawn(wall_start *s, double eta_norm2, const wall_shop *shop, monomial_call *c);
/* Where S is farther from |eta|^2 than errors and residuals explain, says so in c->trouble, with `advice`, and returns
 * false. */
bool wall_start_action(wall_start *s, double action, const wall_factor *x, const wall_shop *shop, const char *advice,
                       monomial_call *c);
void wall_start_report(const wall_start *s, json *j);
void wall_start_row(wall_start *s, number_row *row);

#endif
