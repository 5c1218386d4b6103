/* rng.h - the keys of Philox, and the purposes of random numbers.
 *
 * There is no generator with a state.  A random number is a function of (seed, stream, trajectory, purpose; site,
 * draw).  Numbers that must be independent have different purposes. */
#ifndef KILN_LATTICE_RNG_H
#define KILN_LATTICE_RNG_H

#include "src/site/philox.h"

#include <assert.h>

typedef enum {
    RNG_START_LINKS = 1,      /* the hot start */
    RNG_MOMENTA = 2,
    RNG_METROPOLIS = 3,
    RNG_GAUGE_ROTATION = 4,   /* tests of gauge covariance */
    RNG_TEST = 5,
    RNG_SPECTRUM = 6,         /* start vectors for spectral bounds */
    RNG_HEATBATH = 7,         /* sweeps of links; trajectory 0: sweeps of the start */
    RNG_SDC_CHECK = 8,        /* which trajectory is checked, and at which step */
    RNG_MULTIGRID = 9,        /* initial near-null vectors, and the random vector from which the smoother is
                               * computed; seed, stream and trajectory are 0 */
    RNG_SWAP = 10,            /* swaps of replicas, and the next place of the defect */
    RNG_DEFECT = 11,          /* links of a defect with factor 0 */
    RNG_PSEUDOFERMION = 256,  /* + the number of the field */
    RNG_REPLICA = 16384,      /* updates of replicas from the second on: rng_replica_purpose */
    RNG_REPLICA_FIELD = 20480, /* the same for their pseudofermions */
    RNG_MEASUREMENT = 32768   /* with a digest of its name in the seed (measurement_key) */
} rng_purpose;

enum { RNG_STREAMS = 1 << 16 };             /* stream numbers are below this */
enum { RNG_REPLICAS = 64, RNG_REPLICA_PURPOSES = 64 };       /* at most: replicas, purposes of each */
#define RNG_TRAJECTORIES 4294967295         /* the largest trajectory number */

static inline rng_key rng_key_for(uint64_t seed, uint32_t stream, uint64_t trajectory, unsigned purpose)
{
    rng_key k = { { (uint32_t)seed, (uint32_t)(seed >> 32) }, { (uint32_t)trajectory, stream << 16 | purpose } };
    return k;
}

/* The purpose of random numbers for updates of a replica (src/hmc/tempering.h); replica 0 uses those of an ordinary
 * run.  For other replicas `purpose`, or the number of a pseudofermion, must be below RNG_REPLICA_PURPOSES. */
static inline unsigned rng_replica_purpose(int replica, unsigned purpose)
{
    const bool of_field = purpose >= RNG_PSEUDOFERMION;
    const unsigned number = of_field ? purpose - RNG_PSEUDOFERMION : purpose;
    assert(replica >= 0 && replica < RNG_REPLICAS && (replica == 0 || number < RNG_REPLICA_PURPOSES));
    return replica == 0 ? purpose
                        : (of_field ? RNG_REPLICA_FIELD : RNG_REPLICA) + (unsigned)replica * RNG_REPLICA_PURPOSES
                          + number;
}

/* The trajectory and the stream of a key. */
static inline int64_t rng_key_trajectory(rng_key k)
{
    return k.high[0];
}

static inline unsigned rng_key_stream(rng_key k)
{
    return k.high[1] >> 16;
}

/* One uniform number in (0, 1) for the whole lattice: draw 0 of site 0. */
static inline double rng_scalar(rng_key key)
{
    philox_words w = rng_words(key, 0, 0);
    return rng_uniform(w.v[0], w.v[1]);
}

#endif
