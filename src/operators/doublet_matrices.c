/* doublet_matrices.c - the list of matrices of an operator of doublets. */
#include "src/operators/doublet_operator.h"

#include <assert.h>
#include <math.h>

int doublet_operator_add(doublet_operator_params *p, doublet_matrix_params of)
{
    int n = 0;
    while (n < p->matrices && (p->matrix[n].mass != of.mass || p->matrix[n].mus.sigma != of.mus.sigma
                               || p->matrix[n].mus.delta != of.mus.delta))
        n++;
    assert(n < DIRAC_MATRICES_MAX);
    if (n == p->matrices)
        p->matrix[p->matrices++] = of;
    return n;
}

clover_operator_params doublet_operator_terms(const doublet_operator_params *p)
{
    clover_operator_params of = { .c_sw = p->c_sw, .kind = p->kind, .masses = p->matrices };
    for (int n = 0; n < p->matrices; n++) {
        of.mass[n] = p->matrix[n].mass;
        of.mu[n] = doublet_mu(p->matrix[n].mus);
        of.imaginary[n] = fabs(p->matrix[n].mus.delta) > fabs(p->matrix[n].mus.sigma);
    }
    return of;
}
