/* rank_speed.h - whether fewer GPUs would be faster: on a small lattice, an iteration of a solve on one GPU takes less
 * time than the exchange between two.
 *
 *     seconds of an iteration = bytes of one rank / bandwidth + exchange, sums and launches
 *
 * A rough model, for advice alone: nothing depends on it, and ghosts and the form of the grid do not enter. */
#ifndef KILN_TUNE_RANK_SPEED_H
#define KILN_TUNE_RANK_SPEED_H

#include "src/base/text.h"
#include "src/halo/transport.h"
#include "src/hmc/run_params.h"

typedef struct {
    int ranks, fastest;            /* requested; the number, at most `ranks`, that is fastest in the model */
    double ratio;                  /* time with `ranks` over time with `fastest` */
} rank_speed;

/* For one GPU a rank.  bandwidth: of a GPU in bytes per second, 0: unknown.  An action without solves: ratio 1. */
rank_speed rank_speed_find(const run_params *p, int ranks, double bandwidth, const transport *way);

/* Seconds of a mean iteration of the solves of an action on GPUs, by the same model; NAN without solves. */
double rank_speed_iteration(const run_params *p, int ranks, const transport *way);

/* Whether the solves of a trajectory are slower than the model by a factor that its errors cannot explain: `iterations`
 * took `seconds`, and one should take `expected` seconds.  False for solves of less than two seconds. */
bool rank_speed_is_missed(double seconds, int64_t iterations, double expected);

/* Whether to advise fewer ranks; the advice: "1 GPU is about 3.4 times faster than 2: ..." */
bool rank_speed_is_low(const rank_speed *s);
void rank_speed_add_advice(text *out, const rank_speed *s);

#endif
