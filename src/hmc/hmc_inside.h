/* hmc_inside.h - the struct hmc, for the files that are its parts. */
#ifndef KILN_HMC_HMC_INSIDE_H
#define KILN_HMC_HMC_INSIDE_H

#include "integrators/evolve.h"
#include "src/hmc/hmc_terms.h"
#include "src/hmc/pure_gauge.h"
#include "src/hmc/smd.h"
#include "src/hmc/tempering.h"

struct hmc {
    schedule *s;
    evolver *dynamics;
    pure_gauge *sweeps;                /* used instead of dynamics; NULL: dynamics is used */
    hmc_term_list terms;
    workspace *memory;                 /* of monomials and measurements; borrowed */
    momentum *p;
    bool drawn;                      /* p has been drawn in this trajectory */
    smd *stochastic;                 /* NULL: each trajectory draws new momenta and pseudofermions */
    tempering *replicas;             /* NULL: there is one gauge field */
    int failed;                      /* the replica whose update failed, or -1 */
    gauge *saved;                    /* links at the start of the trajectory; NULL: never needed (run_keeps_links) */
    state_memory recalled;           /* memory of the terms at the start of the trajectory */
    hmc_energies before;             /* at the start of the dynamics */
    double refresh_error[HMC_TERMS];
    device_traffic since;            /* device_traffic_so_far() when this process began (or continued) the trajectory */
    device_traffic earlier;          /* bytes copied in this trajectory by earlier processes */
};

#endif
