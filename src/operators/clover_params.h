/* clover_params.h - the parameters of Wilson quarks without and with a clover term: those of the operator, and the list
 * of its matrices, each a mass with a twist, once.
 *
 * A matrix needs the inverse of T_e + i mu gamma5 of its mass and mu, and in the symmetric form that of
 * T_o + i (mu + rho) gamma5 of its mass and mu + rho.  Matrices share these terms: the even ones are listed by mass and
 * mu, the odd ones by mass and mu + rho, and a matrix has an index into either list. */
#ifndef KILN_OPERATORS_CLOVER_PARAMS_H
#define KILN_OPERATORS_CLOVER_PARAMS_H

#include "src/operators/clover.h"
#include "src/operators/dirac_operator.h"

typedef struct { quark_mass of; int even, odd; } clover_matrix_params;      /* even, odd: indices of its terms */

typedef struct {
    quark_boundary boundary;
    double c_sw;
    bool uneven;                    /* A has the factors `planes`; else 1 */
    clover_planes planes;
    double beside_ends;             /* open boundaries in t: c_F - 1 */
    int matrices;
    clover_matrix_params matrix[DIRAC_MATRICES_MAX];
    int masses, odd_masses;                                                 /* of the lists of terms */
    double mass[DIRAC_MATRICES_MAX], mu[DIRAC_MATRICES_MAX];
    double odd_mass[DIRAC_MATRICES_MAX], odd_mu[DIRAC_MATRICES_MAX];        /* mu + rho */
    bool imaginary[DIRAC_MATRICES_MAX];                                     /* mu of a term is i times this number */
    clover_kind kind;
    clover_form form;
    bool plain;                     /* plain Wilson quarks: c_sw is 0, there are no twists, and form is not read */
} clover_operator_params;

/* Whether T has blocks; else it is a number. */
bool clover_params_have_blocks(const clover_operator_params *p);

/* Add a mass, a mass with a mu, or with a twist, that is not there yet; its index.  Masses of the lists
 * are those of the diagonal, 4 + mass, on anisotropic lattices too (hop_mass_shift). */
int clover_operator_add_mass(clover_operator_params *p, double mass);
int clover_operator_add_twisted(clover_operator_params *p, double mass, double mu);
int clover_operator_add_matrix(clover_operator_params *p, quark_mass of);

/* Functions of a dirac_kind.  Blocks are those of even sites, in the symmetric form those of all sites. */
void clover_params_describe(text *out, const dirac_plan *plan, int index);
int clover_params_blocks(const dirac_plan *plan, int index);
void clover_params_describe_blocks(text *out, const dirac_plan *plan, int index);
spectral_range clover_params_range(const dirac_plan *plan, int index);
spectral_range clover_params_range_of_symmetric(const dirac_plan *plan, int index);

#endif
