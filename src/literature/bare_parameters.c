/* bare_parameters.c - bare parameters and their names. */
#include "src/literature/bare_parameters.h"

const char *bare_parameters_name(const family *of)
{
    return of->twisted ? "mu" : bare_parameters_are_kappas(of) ? "kappa" : "mass";
}

bool bare_parameters_are_kappas(const family *of)
{
    return of->quarks == QUARKS_WILSON && !of->twisted && !of->anisotropic;
}

double bare_parameters_anisotropy(const bare_parameters *b)
{
    return b->at.aniso.xi_0 > 0 ? b->at.aniso.xi : 1;
}

void bare_parameters_free(bare_parameters *b)
{
    text_free(&b->origin);
    text_free(&b->warnings);
}
