/* failure_folder.h - DIRECTORY/failure.000007: all that kiln replay needs to repeat the step at which trajectory 7
 * failed.
 *
 *     parameters.yaml       the complete parameters
 *     failure.json          trajectory, step, term, reason, seed, stream, memory; report of the term; with tempering
 *                           the replica
 *     links.npy             links at that moment
 *     momenta.npy           momenta, unless the step comes before they are drawn
 *     TERM.FIELD.npy        each field of each monomial, float64 [t][z][y][x][reals of a site]
 *
 * The folder is complete or absent: Kiln writes it under a temporary name. */
#ifndef KILN_ENSEMBLE_FAILURE_FOLDER_H
#define KILN_ENSEMBLE_FAILURE_FOLDER_H

#include "src/hmc/hmc.h"

/* The content of failure.json. */
typedef struct {
    int64_t trajectory;
    uint64_t seed;
    uint32_t stream;
    int replica;                    /* of tempering, else 0 */
    hmc_step step;
    char term[48];
    failure reason;
    bool has_momenta;
    state_memory memory;            /* as the step found it */
} failure_folder_facts;

/* A trajectory that failed, as it was at that moment; all pointers are borrowed. */
typedef struct {
    const run_params *params;
    hmc *h;
    const gauge *u;
    int64_t trajectory;
    const hmc_failure *failure;         /* step, term and reason */
} failure_scene;

/* Save it in a new folder of the ensemble; its path in `folder` (text_free).  False with the reason, and then there is
 * no folder. */
bool failure_folder_write(text *folder, const failure_scene *s, failure *f);

bool failure_folder_read(failure_folder_facts *facts, const char *folder, failure *f);

/* The index in `h` of the term that failed; -1 with the reason if `h` has no term of this name. */
int failure_folder_term(const hmc *h, const failure_folder_facts *facts, const char *folder, failure *f);

/* Load the links into `u`, the momenta into `p` (unless NULL), and the memory into the monomials of `h`; also their
 * fields if the step needs them.  `h` must have the term (failure_folder_term). */
bool failure_folder_load(gauge *u, momentum *p, hmc *h, const failure_folder_facts *facts, const char *folder,
                         failure *f);

/* Remove unfinished folders of killed processes.  The caller holds the lock. */
void failure_folder_sweep(const char *directory);

#endif
