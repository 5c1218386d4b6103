/* trouble.h - DIRECTORY/trouble.000007: all that is needed to repeat the step at which trajectory 7 could not go on.
 *
 *     parameters.yaml       the complete parameters
 *     trouble.json          trajectory, step, term, reason, seed, stream, memory; what the term had to report
 *     links.npy             as they were at that moment
 *     momenta.npy           once they are drawn
 *     TERM.FIELD.npy        each field of each monomial, float64 [t][z][y][x][reals of a site]
 *
 * The folder is complete or absent: it is written under a temporary name. */
#ifndef KILN_ENSEMBLE_TROUBLE_H
#define KILN_ENSEMBLE_TROUBLE_H

#include "src/hmc/hmc.h"

/* What trouble.json says. */
typedef struct {
    int64_t trajectory;
    uint64_t seed;
    uint32_t stream;
    hmc_step step;
    char term[48];
    failure reason;
    bool has_momenta;
    state_memory memory;            /* as the step found it */
} trouble_facts;

/* Keep what trajectory `number` has left in `h` and `u`, in a new folder of the ensemble; its path in `folder`
 * (text_free).  False with the reason, and then there is no folder. */
bool trouble_write(text *folder, const run_params *p, hmc *h, const gauge *u, int64_t number, const hmc_trouble *t,
                   failure *f);

bool trouble_read(trouble_facts *facts, const char *folder, failure *f);

/* Put the links into `u`, the momenta (if `p` is not NULL) into `p`, memory and, where the step needs them, fields into
 * the monomials of `h`; the index of the term into `term`. */
bool trouble_load(gauge *u, momentum *p, hmc *h, int *term, const trouble_facts *facts, const char *folder, failure *f);

/* Remove what a process that was killed has left half written.  The lock is held. */
void trouble_sweep(const char *directory);

#endif
