/* chain.h - one number that identifies all trajectories so far: a chain of digests.
 *
 *     chain_n = digest64(chain_(n-1), input digest, seed, stream, n, accepted, tested, random, dH, loops)
 *
 * It contains only what is reproducible: no times, no cadence of files.  It begins with the links_digest of the start
 * links.  Every line of the record and every state holds the value of its trajectory.  Kiln thus detects lines that
 * were removed, repeated, exchanged or changed, and verifies that record and configurations belong together. */
#ifndef KILN_ENSEMBLE_CHAIN_H
#define KILN_ENSEMBLE_CHAIN_H

#include "src/gauge/gauge_observables.h"

#include <stdbool.h>
#include <stdint.h>

/* Not begun: a program without chains made these trajectories. */
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
