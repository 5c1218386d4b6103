/* pure_gauge.c - heat-bath and overrelaxation sweeps with the gauge action of an input. */
#include "src/hmc/pure_gauge.h"

#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/gauge/gauge_observables.h"
#include "src/gauge/heatbath.h"
#include "src/lattice/rng.h"

#include <inttypes.h>

struct pure_gauge {
    const run_params *params;
    heatbath *links;
    int replica;
    link_defect defect;
};

/* The number of monomials with heat-bath updates of single links; *last <- the index of the last one. */
static int gauge_actions(const run_params *p, int *last)
{
    int count = 0;
    for (int m = 0; m < run_monomial_count(p); m++)
        if (run_monomial_kind(p, m)->link_weights) {
            *last = m;
            count++;
        }
    return count;
}

/* `beta` NULL: the beta of the action */
static loop_weights weights_of(const run_params *p, const double *beta)
{
    int action = 0;
    gauge_actions(p, &action);
    return run_monomial_kind(p, action)->link_weights(run_monomial_params(p, action), beta,
                                                      p->boundary.time == TIME_OPEN);
}

static bool heatbath_is_possible(const run_params *p, failure *f)
{
    int last;
    const int count = gauge_actions(p, &last);
    const lattice_shape shape = run_shape(p);
    if (count != 1)
        return fail(f, "the heat bath needs exactly one gauge action, but the monomials have %d", count);
    loop_weights w = weights_of(p, NULL);
    return link_colors_are_possible(&shape, link_colors_loops(&w), f);
}

bool pure_gauge_check(const run_params *p, failure *f)
{
    if (!run_is_pure_gauge(p))
        return p->heatbath.overrelaxation == 0
               || fail(f, "overrelaxation alone does not change the action: set heatbath.sweeps to 1 or more");
    for (int m = 0; m < run_monomial_count(p); m++)
        if (!run_monomial_kind(p, m)->link_weights)
            return fail(f, "the monomial \"%s\" is of kind %s, but the heat bath works with gauge actions only: remove "
                           "\"heatbath\" to use hybrid Monte Carlo", run_monomial_name(p, m),
                        run_monomial_kind(p, m)->input.name);
    if (p->hmc.levels.count > 0)
        return fail(f, "with a heat bath there is no molecular dynamics: remove hmc.levels, or remove \"heatbath\" to "
                       "use hybrid Monte Carlo");
    if (run_is_smd(p))
        return fail(f, "with a heat bath there is no molecular dynamics: remove smd.gamma, or remove \"heatbath\" "
                       "to use stochastic molecular dynamics");
    if (p->hmc.length != 1)
        return fail(f, "with a heat bath there is no molecular dynamics: remove hmc.trajectory_length");
    return heatbath_is_possible(p, f);
}

bool pure_gauge_start_check(const run_params *p, failure *f)
{
    if (p->start.heatbath.settle > 0 && !p->start.heatbath.beta_given)
        return fail(f, "\"settle\" is the number of sweeps after those with the coupling \"beta\", but \"beta\" is not "
                       "given");
    if (p->start.heatbath.sweeps == 0)
        return !p->start.heatbath.beta_given
               || fail(f, "\"beta\" is the coupling of the sweeps, but \"sweeps\" is 0");
    return heatbath_is_possible(p, f);
}

static heatbath *heatbath_of(const run_params *p, const double *beta, const gauge *u)
{
    loop_weights w = weights_of(p, beta);
    return heatbath_create(u, &w);
}

static rng_key key_of(const run_params *p, int64_t number, unsigned purpose)
{
    return rng_key_for((uint64_t)p->random.seed, (uint32_t)p->random.stream, (uint64_t)number, purpose);
}

pure_gauge *pure_gauge_create(const run_params *p, const gauge *u)
{
    if (!run_is_pure_gauge(p))
        return NULL;
    pure_gauge *q = memory_alloc(sizeof *q, "updates of links one by one");
    *q = (pure_gauge){ .params = p, .links = heatbath_of(p, NULL, u), .defect = { .factor = 1 } };
    return q;
}

void pure_gauge_set_replica(pure_gauge *q, int replica, const link_defect *defect)
{
    q->replica = replica;
    q->defect = *defect;
}

void pure_gauge_free(pure_gauge *q)
{
    if (q)
        heatbath_free(q->links);
    memory_free(q);
}

size_t pure_gauge_bytes(const run_params *p)
{
    int lists = run_is_pure_gauge(p) + (p->start.heatbath.sweeps > 0);
    if (lists == 0)
        return 0;
    loop_weights w = weights_of(p, NULL);
    const lattice_shape shape = run_shape(p);
    return (size_t)lists * link_colors_bytes(&shape, link_colors_loops(&w));
}

void pure_gauge_sweep(pure_gauge *q, gauge *u, int64_t number)
{
    const run_params *p = q->params;
    const rng_key key = key_of(p, number, rng_replica_purpose(q->replica, RNG_HEATBATH));
    defect_weight_links(u, &q->defect);
    for (int64_t n = 0; n < p->heatbath.sweeps; n++) {
        heatbath_sweep(q->links, u, key, n);
        for (int64_t m = 0; m < p->heatbath.overrelaxation; m++)
            heatbath_overrelax(q->links, u);
    }
    defect_restore_links(u, &q->defect, key_of(p, number, rng_replica_purpose(q->replica, RNG_DEFECT)));
}

typedef struct { sweeps_go_on go_on; void *context; int64_t all; } start_watch;

/* Sweeps `first` to `end` - 1 over the start links; `beta` as in weights_of.  False if the watch ended them. */
static bool sweep_start(const run_params *p, const double *beta, int64_t first, int64_t end, gauge *u,
                        const start_watch *w)
{
    bool go_on = true;
    if (first == end)
        return true;
    heatbath *links = heatbath_of(p, beta, u);
    for (int64_t n = first; n < end && go_on; n++) {
        go_on = !w->go_on || w->go_on(w->context, n, w->all);
        if (go_on) {
            heatbath_sweep(links, u, key_of(p, 0, RNG_HEATBATH), n);
            gauge_reunitarize(u);
        }
    }
    heatbath_free(links);
    if (!go_on)
        return false;
    text coupling = { 0 };
    if (beta)
        text_add(&coupling, " with beta %g", *beta);
    log_line(LOG_INFO, "%s over the start links%s: plaquette %.15g", count_to_text(end - first, "heat-bath sweep").s,
             text_string(&coupling), gauge_plaquette(u).average);
    text_free(&coupling);
    return true;
}

bool pure_gauge_start(const run_params *p, gauge *u, sweeps_go_on go_on, void *context)
{
    const int64_t settle = p->start.heatbath.sweeps, all = settle + p->start.heatbath.settle;
    const start_watch w = { go_on, context, all };
    return sweep_start(p, p->start.heatbath.beta_given ? &p->start.heatbath.beta : NULL, 0, settle, u, &w)
           && sweep_start(p, NULL, settle, all, u, &w);
}
