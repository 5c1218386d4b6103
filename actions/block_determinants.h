/* block_determinants.h - the determinants that an operator has besides det C, if its blocks on sites depend on the
 * links.
 *
 * Clover quarks (operators/clover.h): det M = det (T_e + i mu gamma5) det Mhat.  N flavors add to the action
 *     S = -N log |det (T_e + i mu gamma5)|,
 *     in the symmetric form also -N log |det (T_o + i (mu + rho) gamma5)|.
 * There are no pseudofermions for S.  N is summed over all factors of a monomial: flavors of numerators count as
 * positive, those of denominators as negative, so an intermediate mass of a Hasenbusch chain cancels. */
#ifndef KILN_ACTIONS_BLOCK_DETERMINANTS_H
#define KILN_ACTIONS_BLOCK_DETERMINANTS_H

#include "src/operators/dirac_operator.h"

enum { BLOCK_DETERMINANTS_MAX = 64 };

/* matrix: the first index of a C with these blocks (dirac_kind.blocks); flavors: N above, not 0. */
typedef struct { int matrix, flavors; } block_determinant;
typedef struct { int count; block_determinant of[BLOCK_DETERMINANTS_MAX]; } block_list;

void block_list_add(block_list *l, int matrix, int flavors);

/* A list with its matrices of the operator d, which is borrowed.  Empty if d has no such determinants.
 * block_determinants_free frees the matrices. */
typedef struct {
    block_list list;
    dirac_operator *d;
    dirac_matrix *matrix[BLOCK_DETERMINANTS_MAX];
} block_determinants;
block_determinants block_determinants_create(const block_list *list, dirac_operator *d);
void block_determinants_free(block_determinants *b);

/* For the current links of the operator: S; and its force, added between force_begin and force_finish. */
double block_determinants_action(const block_determinants *b);
void block_determinants_add_force(const block_determinants *b);

#endif
