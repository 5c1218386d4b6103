/* bare_parameters.c - bare parameters and their names. */
#include "src/literature/bare_parameters.h"

const char *bare_parameters_name(const family *of)
{
    return of->twisted ? "mu" : of->quarks == QUARKS_WILSON ? "kappa" : "mass";
}

void bare_parameters_free(bare_parameters *b)
{
    text_free(&b->origin);
    text_free(&b->warnings);
}
