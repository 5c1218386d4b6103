/* bench_trajectory.h - the time of pure-gauge trajectories and of their phases. */
#ifndef KILN_BENCH_BENCH_TRAJECTORY_H
#define KILN_BENCH_BENCH_TRAJECTORY_H

#include "src/base/clock.h"
#include "src/hmc/run_input.h"
#include "src/lattice/lattice.h"

typedef struct {
    const char *action;             /* of gauge_action_names */
    int steps;                      /* of Omelyan's integrator, in a trajectory of length 1 */
} trajectory_request;

typedef struct {
    double seconds, fastest;        /* of one trajectory: median and smallest */
    double force_seconds;           /* of one trajectory, mean */
    int64_t forces;                 /* evaluations in one trajectory */
    double force_flops, force_bytes;            /* of one evaluation, counted from the algorithm */
    double dh;                      /* of the last */
    uint64_t bytes_to_device, bytes_from_device;    /* by one trajectory */
    size_t place_bytes, host_bytes; /* largest memory in use: at the place of the links, and all of the host */
    clock_tree clock;               /* of all trajectories timed */
} trajectory_result;

void bench_trajectory(const trajectory_request *request, place where, const int extents[4], int repeats,
                      trajectory_result *result);

/* A run without files, from the text of a valid input; release it with run_input_free. */
run_input bench_input(const char *yaml);

#endif
