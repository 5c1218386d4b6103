/* hmc.c - a trajectory in one page. */
#include "src/hmc/hmc.h"

#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/lattice/rng.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct hmc {
    const run_params *params;
    schedule *s;
    evolver *dynamics;
    evolve_term term[HMC_TERMS];
    int terms;
    momentum *p;
    gauge *saved;
};

static int level_of(const schedule *s, const char *name)
{
    for (int l = 0; l < s->levels; l++)
        for (int i = 0; i < s->level[l].monomials.count; i++)
            if (strcmp(s->level[l].monomials.item[i], name) == 0)
                return l;
    assert(!"the input has been checked: every monomial is on a level");
    return -1;
}

schedule *hmc_plan(const run_params *p, evolve_term terms[HMC_TERMS])
{
    schedule *s = schedule_create(p->hmc.levels.item, p->hmc.levels.count, p->hmc.length);
    for (int t = 0; t < run_monomial_count(p); t++) {
        terms[t] = (evolve_term){ .m = NULL };
        snprintf(terms[t].name, sizeof terms[t].name, "%s", run_monomial_name(p, t));
        terms[t].level = level_of(s, run_monomial_name(p, t));
    }
    return s;
}

hmc *hmc_create(const run_params *p, const gauge *u)
{
    lattice *l = u->links.lattice;
    hmc *h = memory_alloc(sizeof *h, "hybrid Monte Carlo");
    assert(run_monomial_count(p) <= HMC_TERMS);
    h->params = p;
    h->s = hmc_plan(p, h->term);
    h->terms = run_monomial_count(p);
    for (int t = 0; t < h->terms; t++)
        h->term[t].m = run_monomial_kind(p, t)->create(run_monomial_params(p, t), u);
    h->p = momentum_create(l, u->links.where, u->links.precision);
    h->saved = gauge_create(l, u->links.where, u->links.precision);
    h->dynamics = evolver_create(h->s, h->term, h->terms, u);
    lattice_on(l, u->links.where);                  /* its tables travel now, not inside a trajectory */
    lattice_sum_scratch(l, u->links.where);
    return h;
}

void hmc_free(hmc *h)
{
    if (!h)
        return;
    for (int t = 0; t < h->terms; t++)
        monomial_free(h->term[t].m);
    evolver_free(h->dynamics);
    schedule_free(h->s);
    momentum_free(h->p);
    gauge_free(h->saved);
    memory_free(h);
}

int hmc_term_count(const hmc *h)
{
    return h->terms;
}

const evolve_term *hmc_terms(const hmc *h)
{
    return h->term;
}

hmc_energies hmc_hamiltonian(hmc *h, const gauge *u, const momentum *p)
{
    hmc_energies e = { .kinetic = momentum_kinetic(p) };
    e.total = e.kinetic;
    for (int t = 0; t < h->terms; t++)
        e.total += e.term[t] = monomial_action(h->term[t].m, u);
    return e;
}

bool hmc_evolve(hmc *h, gauge *u, momentum *p, clock_tree *clock, const volatile sig_atomic_t *stop)
{
    return evolve(h->dynamics, u, p, clock, stop);
}

/* The sum of term-by-term differences: the terms are large, their changes small. */
double hmc_energy_difference(const hmc *h, const hmc_energies *before, const hmc_energies *after)
{
    double dh = after->kinetic - before->kinetic;
    for (int t = 0; t < h->terms; t++)
        dh += after->term[t] - before->term[t];
    return dh;
}

static void refresh(hmc *h, const gauge *u, uint64_t seed, uint32_t stream, int64_t number)
{
    momentum_set_gaussian(h->p, rng_key_for(seed, stream, (uint64_t)number, RNG_MOMENTA));
    for (int t = 0; t < h->terms; t++)
        monomial_refresh(h->term[t].m, u, rng_key_for(seed, stream, (uint64_t)number, RNG_PSEUDOFERMION + (unsigned)t));
}

hmc_outcome hmc_trajectory(hmc *h, gauge *u, int64_t number, clock_tree *clock, const volatile sig_atomic_t *stop)
{
    uint64_t seed = (uint64_t)h->params->random.seed;
    uint32_t stream = (uint32_t)h->params->random.stream;
    device_traffic traffic = device_traffic_so_far();
    hmc_outcome o = { .tested = number > h->params->hmc.thermalization };

    clock_begin(clock, "heat bath");
    gauge_copy(h->saved, u);
    refresh(h, u, seed, stream, number);
    device_wait();
    clock_end(clock);

    clock_begin(clock, "energy");
    o.before = hmc_hamiltonian(h, u, h->p);
    clock_end(clock);

    clock_begin(clock, "dynamics");
    o.interrupted = !hmc_evolve(h, u, h->p, clock, stop);
    clock_end(clock);
    if (o.interrupted) {
        gauge_copy(u, h->saved);
        return o;
    }

    clock_begin(clock, "energy");
    o.after = hmc_hamiltonian(h, u, h->p);
    clock_end(clock);

    clock_begin(clock, "accept");
    evolver_force_sizes(h->dynamics, o.force);
    o.unitarity = gauge_link_quality(u).unitarity;
    o.dh = hmc_energy_difference(h, &o.before, &o.after);
    o.random = rng_scalar(rng_key_for(seed, stream, (uint64_t)number, RNG_METROPOLIS));
    o.accepted = isfinite(o.dh) && (!o.tested || o.random < exp(-o.dh));
    if (!o.accepted)
        gauge_copy(u, h->saved);
    int64_t every = h->params->hmc.reunitarize_every;
    o.reunitarized = o.accepted && every > 0 && number % every == 0;
    if (o.reunitarized)
        gauge_reunitarize(u);
    device_wait();
    clock_end(clock);

    device_traffic now = device_traffic_so_far();
    o.traffic = (device_traffic){ now.to_device - traffic.to_device, now.from_device - traffic.from_device };
    return o;
}
