/* bare_parameters.h - the request of a user for an ensemble, and the bare parameters for it. */
#ifndef KILN_LITERATURE_BARE_PARAMETERS_H
#define KILN_LITERATURE_BARE_PARAMETERS_H

#include "src/base/text.h"
#include "src/literature/literature.h"

/* NAN: not given.  Spacing in fm, pion mass in MeV, quark masses as in mass_point. */
typedef struct {
    const family *family;
    double spacing, beta;               /* one of them */
    double pion, light;                 /* one of them; neither for pure gauge */
    double strange, charm;              /* NAN: from the literature */
    bool extrapolate;
    bool open_in_time;                  /* open boundaries in time, else periodic */
} literature_target;

typedef struct {
    const family *family;
    coupling at;                        /* spacing: NAN if it is not known; c_sw is set */
    double pion;                        /* NAN: not known */
    double light, strange, charm;       /* NAN: there is no such quark (0 can be a mass) */
    bool open_in_time;
    text origin;                        /* sentences: where the numbers are from */
    text warnings;                      /* a sentence a line */
} bare_parameters;

void bare_parameters_free(bare_parameters *b);

/* The name of the light quark's parameter: "mass", "kappa" or "mu". */
const char *bare_parameters_name(const family *of);
bool bare_parameters_are_kappas(const family *of);

/* The measured a_s/a_t, 1 on isotropic lattices. */
double bare_parameters_anisotropy(const bare_parameters *b);

#endif
