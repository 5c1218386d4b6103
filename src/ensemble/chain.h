/* chain.h - one number for all trajectories up to here: the next one is the digest of it and of what the next
 * trajectory was.
 *
 *     chain_n = digest64(chain_(n-1), input digest, seed, stream, n, accepted, tested, random, dH, loops)
 *
 * Only what is the same wherever and however often a trajectory is made goes into it: no times, no cadence of files.
 * It begins with the links_digest of the start links.  Every line of the record and every state carries the value of
 * its trajectory, so that a line that is removed, repeated, exchanged or changed is found, and that record and
 * configurations are seen to belong together. */
#ifndef KILN_ENSEMBLE_CHAIN_H
#define KILN_ENSEMBLE_CHAIN_H

#include "src/lattice/gauge_observables.h"

#include <stdbool.h>
#include <stdint.h>

/* Not begun: these trajectories were made by a program that knew no chain. */
typedef struct { bool begun; uint64_t value; } chain_value;

/* What a trajectory adds. */
typedef struct {
    uint64_t input_digest, seed;
    uint32_t stream;
    int64_t trajectory;
    bool accepted, thermalization;
    double random, dh;
    plaquette_means plaquette;
    double rectangle, parallelogram;
    polyakov_mean polyakov;
} chain_link;

uint64_t chain_next(uint64_t before, const chain_link *link);

#endif
