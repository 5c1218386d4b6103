/* rank_speed.c - the time of an iteration on every number of GPUs, from its bytes and the cost of an exchange. */
#include "src/tune/rank_speed.h"

#include "src/hmc/hmc.h"
#include "src/lattice/grid.h"

#include <math.h>
#include <string.h>

/* Measured on H100 with NVLink (docs/performance.md, "Two H100"): what an iteration of a solve takes with two ranks,
 * and on one GPU, without the time of its bytes; seconds. */
static const double exchange_seconds[] = {
    [TRANSPORT_BEST] = 67e-6, [TRANSPORT_PEER] = 67e-6, [TRANSPORT_NCCL] = 145e-6, [TRANSPORT_HOST] = 320e-6,
};
#define ALONE_SECONDS 15e-6
#define BANDWIDTH 2.5e12               /* of an H100, at 0.85 of its copy rate */

#define LOW 1.1                        /* a ratio above this leads to advice */

/* Seconds of an iteration of each solve of all monomials on a grid of ranks. */
static double iteration_seconds(const run_params *p, int ranks, const int grid[4], double bandwidth, double exchange)
{
    grid_request as_if = { .ranks = ranks };
    memcpy(as_if.grid, grid, sizeof as_if.grid);
    const grid_request before = grid_pretend(as_if);
    const lattice_shape shape = run_shape(p);
    double seconds = 0;
    for (int m = 0; m < run_monomial_count(p); m++) {
        const monomial_kind *kind = run_monomial_kind(p, m);
        if (!kind->iteration_work)
            continue;
        const work w = kind->iteration_work(kind, run_monomial_params(p, m), &shape);
        seconds += w.bytes / bandwidth + w.solves * (ranks > 1 ? exchange : ALONE_SECONDS);
    }
    grid_pretend(before);
    return seconds;
}

rank_speed rank_speed_find(const run_params *p, int ranks, double bandwidth, transport way)
{
    rank_speed s = { ranks, ranks, 1 };
    double least = INFINITY, here = NAN;
    for (int n = 1; n <= ranks; n++) {
        failure why;
        int grid[4];
        if (!grid_choose(grid, p->extents, n, run_hops(p), &why))
            continue;
        here = iteration_seconds(p, n, grid, bandwidth > 0 ? bandwidth : BANDWIDTH, exchange_seconds[way]);
        if (here < least) {
            least = here;
            s.fastest = n;
        }
    }
    if (least > 0 && here > least)
        s.ratio = here / least;
    else
        s.fastest = ranks;
    return s;
}

bool rank_speed_is_low(const rank_speed *s)
{
    return s->ratio > LOW;
}

void rank_speed_add_advice(text *out, const rank_speed *s)
{
    text_add(out, "%s %s about %.1f times faster than %d: on this lattice, an iteration of a solve takes less time "
                  "than the exchange between GPUs (results do not depend on the number)",
             count_to_text(s->fastest, "GPU").s, s->fastest > 1 ? "are" : "is", s->ratio, s->ranks);
}
