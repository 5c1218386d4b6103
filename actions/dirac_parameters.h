/* dirac_parameters.h - the parameters of a Dirac operator in an input: for each discretization a struct with one table
 * of keys, which monomials, measurements and kiln probe share, and the functions below.
 *
 * dwf_action.h and staggered_action.h have a table; wilson_operator.h has these functions by name.
 *
 * The parameters of a single matrix of an operator (a mass, a twist, a Naik epsilon) are in a list of the operator's
 * parameters, not in this struct. */
#ifndef KILN_ACTIONS_DIRAC_PARAMETERS_H
#define KILN_ACTIONS_DIRAC_PARAMETERS_H

#include "actions/stout_params.h"
#include "src/operators/dirac_operator.h"

typedef struct {
    /* *operator_params (the struct of dirac_plan.params) <- the parameters of the operator, with an empty list of
     * matrices.  False with the reason if there is no such operator. */
    bool (*read)(void *operator_params, const void *input, failure *f);

    /* The plan of an operator with these parameters, which are borrowed, and with the smearing of the input. */
    dirac_plan (*plan)(const void *operator_params, const void *input);

    /* Whether two inputs describe the same operator M. */
    bool (*same)(const void *a, const void *b);

    /* Adds lines for the user about consequences of the keys, for example weights; may be NULL. */
    void (*describe)(text *lines, const void *input);
} dirac_parameters;

#endif
