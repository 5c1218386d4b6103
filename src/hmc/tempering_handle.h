/* tempering_handle.h - the types of tempering.h that its parts share; tempering_inside.h has the members. */
#ifndef KILN_HMC_TEMPERING_HANDLE_H
#define KILN_HMC_TEMPERING_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tempering tempering;

/* The result of the update of one replica, by heat bath or hybrid Monte Carlo.  iterations: the sum over all solves. */
typedef struct { bool accepted; double dh; int64_t iterations; } replica_update;

#endif
