/* dirac_parameters.h - the parameters of a Dirac operator in an input: for each discretization a struct with one table
 * of keys, which monomials, measurements and kiln probe share, and the functions below.
 *
 * dwf_action.h and staggered_action.h have a table; wilson_operator.h has these functions by name.
 *
 * What each matrix of an operator has of its own (a mass, a twist, a Naik epsilon) is in the list of the operator's
 * parameters, and not in this struct. */
#ifndef KILN_ACTIONS_DIRAC_PARAMETERS_H
#define KILN_ACTIONS_DIRAC_PARAMETERS_H

#include "actions/stout_params.h"
#include "src/operators/dirac_operator.h"

typedef struct {
    /* The parameters of the operator, a struct of its own (dirac_plan.params), with an empty list of matrices; false
     * with the reason if there is no such operator. */
    bool (*read)(void *operator_params, const void *input, failure *f);

    /* The plan of an operator with these parameters, which are borrowed, and with the smearing of the input. */
    dirac_plan (*plan)(const void *operator_params, const void *input);

    /* Whether both are the same operator M. */
    bool (*same)(const void *a, const void *b);

    /* Adds facts for people that the keys do not show, one a line; NULL: there are none. */
    void (*describe)(text *lines, const void *input);
} dirac_parameters;

#endif
