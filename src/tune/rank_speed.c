/* rank_speed.c - the time of an iteration on every number of GPUs, from its bytes and the cost of an exchange. */
#include "src/tune/rank_speed.h"

#include "src/hmc/hmc.h"
#include "src/lattice/grid.h"

#include <math.h>

/* Measured on H100 with NVLink (docs/performance.md, "Two H100"): the time of an iteration of a solve on one GPU, less
 * that of its bytes; transport.iteration_seconds is the same for two. */
#define ALONE_SECONDS 15e-6
#define BANDWIDTH 2.5e12               /* of an H100, at 0.85 of its copy rate */

#define WORK 0.4                       /* fraction of the bytes that are read: shifts converge early, caches help */

#define LOW 1.1                        /* rank_speed.ratio above which Kiln gives advice */
#define MISSED 5.0                     /* solves slower than the model by this factor cause a warning, */
#define SHORT_SECONDS 2.0              /* if they take longer than this */

/* The work of an iteration of each solve of all monomials, for one process. */
static work iteration_work(const run_params *p)
{
    lattice_shape shape = lattice_shape_single(p->extents);
    shape.open_in_time = p->boundary.time == TIME_OPEN;
    work all = { 0 };
    for (int m = 0; m < run_monomial_count(p); m++) {
        const monomial_kind *kind = run_monomial_kind(p, m);
        const work w = kind->iteration_work ? kind->iteration_work(kind, run_monomial_params(p, m), &shape)
                                            : (work){ 0 };
        all.bytes += w.bytes;
        all.solves += w.solves;
    }
    return all;
}

/* The time of one iteration of each solve of all monomials, on `ranks` GPUs. */
static double seconds_of(const work *all, int ranks, double bandwidth, const transport *way)
{
    const double exchange_seconds = (way ? way : transports[0])->iteration_seconds;
    return all->bytes / ranks / (bandwidth > 0 ? bandwidth : BANDWIDTH)
           + all->solves * (ranks > 1 ? exchange_seconds : ALONE_SECONDS);
}

double rank_speed_iteration(const run_params *p, int ranks, const transport *way)
{
    const work all = iteration_work(p);
    return all.solves > 0 ? seconds_of(&all, ranks, 0, way) / (double)all.solves : NAN;
}

bool rank_speed_is_missed(double seconds, int64_t iterations, double expected)
{
    return iterations > 0 && seconds > SHORT_SECONDS && seconds > MISSED * (double)iterations * expected;
}

rank_speed rank_speed_find(const run_params *p, int ranks, double bandwidth, const transport *way)
{
    work all = iteration_work(p);
    rank_speed s = { ranks, ranks, 1 };
    double least = INFINITY, seconds = NAN;
    all.bytes *= WORK;
    for (int n = 1; n <= ranks; n++) {
        failure why;
        int grid[4];
        if (n < ranks && !grid_choose(grid, p->extents, n, run_hops(p), &why))
            continue;
        seconds = seconds_of(&all, n, bandwidth, way);
        if (seconds < least) {
            least = seconds;
            s.fastest = n;
        }
    }
    if (least > 0 && seconds > least)
        s.ratio = seconds / least;
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
    text_add(out, "%s %s about %.1f times faster than %d: on this lattice, the exchange between GPUs takes longer than "
                  "it saves (results do not depend on the number)",
             count_to_text(s->fastest, "GPU").s, s->fastest > 1 ? "are" : "is", s->ratio, s->ranks);
}
