/* rational_fields.h - pseudofermions whose weights are functions of C^+C, by RHMC (M. A. Clark and A. D. Kennedy,
 * hep-lat/0608015).
 *
 *     S = sum over fields |r_A(K) phi|^2,   K = C^+C,   phi on the sites dirac_kind.home
 *
 * refresh: phi = r_H(K) eta, r_H ~= 1/r_A, eta with density exp(-|eta|^2); force: the exact derivative of
 * phi^+ r_F(K) phi, r_F ~= r_A^2.  The range of the functions is [0, L], L above the largest eigenvalue of K.  K >= 0
 * for all links, so that only the upper end must be measured.  Systems of fields with the same C are solved
 * together. */
#ifndef KILN_ACTIONS_RATIONAL_FIELDS_H
#define KILN_ACTIONS_RATIONAL_FIELDS_H

#include "actions/quark_factor.h"
#include "src/rational/rational.h"

enum { PSEUDOFERMIONS_MAX = 64 };

/* The pseudofermion fields: quark_factor_plan.more points to it if the kind is rational_fields_factor.  `make`,
 * `describe` and their argument `of` belong to the quark family (staggered, for example) that made the plan. */
typedef struct {
    int count;
    int matrix[PSEUDOFERMIONS_MAX];                 /* index of the C of each field */
    role_values residual[PSEUDOFERMIONS_MAX];
    int max_rhs;                                   /* largest number of fields that are solved at once */
    rational_set set[PSEUDOFERMIONS_MAX];           /* their rational functions, for the range [0, largest], or
                                                     * [0, expected] if the range is measured */
    bool fixed;                                     /* the range is given by the input or a file; else it is measured */
    double largest;                                 /* upper end of a fixed range, else 0 */
    double expected;                                /* upper end of the assumed range before a measurement */
    bool from_file;
    int64_t measure_every;                          /* trajectories between two measurements of the spectrum */
    /* make: computes the functions for a range that ends at `largest`.  describe: appends a description of a field. */
    bool (*make)(rational_set *set, const void *of, double largest, failure *f);
    void (*describe)(text *out, const void *of, int field);
    const void *of;
    const char *name;                               /* of the monomial */
} rational_fields_plan;

const rational *rational_of(const rational_set *set, int role);

/* The largest number of poles of all functions of the sets. */
int rational_most_poles(const rational_set *sets, int count);

/* A group has fields with the same C, which are solved at once.  Groups are in the order of their first fields.
 * rational_fields_max_rhs: the size of the largest group.  rational_first_alike: the first field with the same C as
 * field n. */
typedef struct { int matrix, count, field[BATCH_MAX_RHS]; } rational_group;
typedef struct { int count; rational_group group[PSEUDOFERMIONS_MAX]; } rational_groups;
int rational_first_alike(const rational_fields_plan *p, int n);
rational_groups rational_groups_of(const rational_fields_plan *p);
int rational_fields_max_rhs(const rational_fields_plan *p);

/* Functions of the kind (quark_factor.h). */
int  rational_fields_entries(const quark_factor_plan *p);
void rational_fields_describe(text *out, const quark_factor_plan *p, const dirac_plan *d, int entry);
void rational_fields_describe_functions(text *out, const quark_factor_plan *p, int entry);
int  rational_fields_vectors(const quark_factor_plan *p);
int  rational_fields_scratch(const quark_factor_plan *p);
int  rational_fields_shifts(const quark_factor_plan *p);
int  rational_fields_pairs(const quark_factor_plan *p);
quark_iteration rational_fields_iteration(const quark_factor_plan *p);
void rational_fields_energy_errors(energy_errors *e, const quark_factor_plan *p, const dirac_plan *d,
                                   const lattice_shape *shape);

#endif
