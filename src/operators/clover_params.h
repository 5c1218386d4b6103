/* clover_params.h - the parameters of Wilson quarks without and with a clover term: those of the operator, and the list
 * of its matrices, each given by a mass and a twist.
 *
 * A matrix needs the inverse of T_e + i mu gamma5, and in the symmetric form that of T_o + i (mu + rho) gamma5.
 * Matrices with the same mass and mu share the even term, those with the same mass and mu + rho the odd one.  So there
 * are two lists of terms, and each matrix has an index into both. */
#ifndef KILN_OPERATORS_CLOVER_PARAMS_H
#define KILN_OPERATORS_CLOVER_PARAMS_H

#include "src/operators/clover.h"
#include "src/operators/dirac_operator.h"

typedef struct { quark_mass of; int even, odd; } clover_matrix_params;      /* even, odd: indices of its terms */

typedef struct {
    quark_boundary boundary;
    double c_sw;
    bool uneven;                    /* the planes of A have the factors `planes` (anisotropy); else all have factor 1 */
    clover_planes planes;
    double beside_ends;             /* open boundaries in t: c_F - 1 */
    int matrices;
    clover_matrix_params matrix[DIRAC_MATRICES_MAX];
    int masses, odd_masses;                                                 /* lengths of the lists of terms */
    double mass[DIRAC_MATRICES_MAX], mu[DIRAC_MATRICES_MAX];                /* even terms */
    double odd_mass[DIRAC_MATRICES_MAX], odd_mu[DIRAC_MATRICES_MAX];        /* odd terms; odd_mu: mu + rho */
    bool imaginary[DIRAC_MATRICES_MAX];                                     /* of an even term: mu stands for i mu */
    clover_kind kind;
    clover_form form;
    bool plain;                     /* plain Wilson quarks: c_sw is 0, there are no twists, and form is not read */
} clover_operator_params;

/* Whether T has blocks: if c_sw or c_F - 1 is not 0.  Else T is a number. */
bool clover_params_have_blocks(const clover_operator_params *p);

/* Return the index of a matrix: given by its mass, by mass and mu, or by mass and twist.  They add it to the list if it
 * is not there yet; fatal if the list is full.  The masses in the lists give the diagonal 4 + mass: on anisotropic
 * lattices they are the argument plus hop_mass_shift. */
int clover_operator_add_mass(clover_operator_params *p, double mass);
int clover_operator_add_twisted(clover_operator_params *p, double mass, double mu);
int clover_operator_add_matrix(clover_operator_params *p, quark_mass of);

/* Functions of a dirac_kind.  Site-diagonal blocks: on even sites, in the symmetric form on all sites. */
void clover_params_describe(text *out, const dirac_plan *plan, int index);
int clover_params_blocks(const dirac_plan *plan, int index);
void clover_params_describe_blocks(text *out, const dirac_plan *plan, int index);
spectral_range clover_params_range(const dirac_plan *plan, int index);
spectral_range clover_params_range_of_symmetric(const dirac_plan *plan, int index);

#endif
